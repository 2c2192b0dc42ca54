/**
 * Node's HTTP. An import of `node:http` reads all that it exports, which loads WebSocket and the
 * whole of undici. That is a tenth of what a worker needs to start.
 */
export const { createServer, request } = process.getBuiltinModule('node:http')
