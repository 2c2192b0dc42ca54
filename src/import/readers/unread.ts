/**
 * Column that holds the reason for a row that a download could not fetch. Such a row is rejected.
 */
export const UNREAD = 'platbook:unread'
