import type { FastifyInstance } from 'fastify'
import type { Resource } from '#engine'
import type { Person } from '../platform/http/server/access.ts'

/** Query parameters as the address carries them. */
export type Query = Readonly<Record<string, string>>

/** One read of a resource on behalf of a person. */
export interface Read {
  readonly app: FastifyInstance
  readonly person: Person
  readonly resource: Resource
}

/** A resource and who asks for it. */
export type Asked = Pick<Read, 'person' | 'resource'>
