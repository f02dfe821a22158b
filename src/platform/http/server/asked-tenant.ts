import type { FastifyRequest } from 'fastify'
import { firstTenant } from '../../database/first-tenant.ts'

/** Characters of a tenant's number at most. */
const longest = 12

const textIn = (values: unknown, name: string): string => {
  const value = typeof values === 'object' && values !== null ? (values as Record<string, unknown>)[name] : undefined
  return typeof value === 'string' ? value : ''
}

/**
 * The tenant that a caller without a session names: `tenantId` or `tenant_id` of the query or body, else the header
 * `Tenant-Id`, else the first tenant. It need not exist.
 */
export function askedTenant({ query, body, headers }: Pick<FastifyRequest, 'query' | 'body' | 'headers'>): string {
  const named = [query, body].flatMap(values => [textIn(values, 'tenantId'), textIn(values, 'tenant_id')]).find(Boolean)
  return (named || textIn(headers, 'tenant-id') || firstTenant).slice(0, longest)
}
