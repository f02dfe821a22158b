import type { FastifyRequest } from 'fastify'

/**
 * The address of a request as logs may hold it: of a call whose address holds a secret, the address as it is written in its contract.
 */
export const loggedUrl = ({ url, routeOptions }: FastifyRequest): string =>
  routeOptions.url?.endsWith('/:secret') ? routeOptions.url : url
