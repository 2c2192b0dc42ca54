/**
 * The name under which the reason stands where a download has not got a row; the row then is a
 * reject.
 */
export const UNREAD = 'platbook:unread'
