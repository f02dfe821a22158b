import type { FastifyRequest } from 'fastify'
import { Refusal } from './domain/refusal.ts'

/**
 * Who may call a route. Every route carries one; a route without it stops the start.
 * `public` needs no token, `signed-in` any session, `staff` a role that may enter the console,
 * `candidate` a candidate's session; a permission is a code granted to a role (any one of a list is enough).
 */
export type Access = 'public' | 'signed-in' | 'staff' | 'candidate' | { permission: string | readonly string[] }

/** The person behind a request, read from the session of the access token. */
export interface Person {
  userId: string
  tenantId: string
  account: string
  name: string
  roleIds: readonly string[]
  /** Role aliases, for example `exam_admin`. */
  roles: readonly string[]
  deptIds: readonly string[]
  /** 1 staff, 2 candidate, 3 other. */
  userType: number
  userCode: string
  /** True when one of the roles may enter the console. */
  isStaff: boolean
  permissions: ReadonlySet<string>
  sessionId: string
  clientId: string
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
  }
  interface FastifyRequest {
    /** Who is calling; null on public routes without a token. */
    person: Person | null
  }
}

/** The caller of a route that is not public. */
export function person(request: FastifyRequest): Person {
  if (!request.person) throw new Refusal(401, 401, '请求未授权')
  return request.person
}
