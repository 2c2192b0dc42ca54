/** Node's HTTP without WebSocket and undici, which an import of `node:http` loads at the start. */
export const { createServer, request } = process.getBuiltinModule('node:http')
