/** HTTP statuses of refusals by name, the only place for their numbers. RFC 9110, section 15. */
export const STATUS = {
  badRequest: 400,
  unauthenticated: 401,
  forbidden: 403,
  notFound: 404,
  gone: 410,
  tooLarge: 413,
  wrongType: 415,
  unprocessable: 422,
  tooMany: 429,
  failed: 500,
  unavailable: 503,
  diskFull: 507,
} as const
