import type { FastifyRequest } from 'fastify'
import type { Condition } from '#engine'
import { refuse } from './refusal.ts'

/**
 * Who may call a route. Every route carries one; a route without it stops the start.
 * `public` needs no token, `signed-in` any session, `staff` a role that may enter the console,
 * `candidate` a candidate's session; a permission is a code granted to a role (any one of a list is enough). With `views` the
 * permission of a view does for that of its resource, and the call meets the rows of the view alone: its queries go through
 * `src/crud/scope.ts`.
 */
export type Access =
  | 'public'
  | 'signed-in'
  | 'staff'
  | 'candidate'
  | { permission: string | readonly string[]; views?: true }

/** A view by whose permission somebody came in. */
export interface Viewed {
  /** Name of the resource. */
  readonly resource: string
  /** Name of the view. */
  readonly view: string
}

/** A limit on which rows of a resource a person meets, as one of the roles carries it. */
export interface DataRule {
  /** Name of the resource. */
  resource: string
  /** Key of dictionary `data_scope_type`: 1 all, 2 own, 3 own department, 4 own department and below, 5 by `value`. */
  type: number
  /** Column of the user or department; null means who made the row, or that person's department. */
  column: string | null
  /** The condition of a rule of type 5; `$caller` and `$depts` stand for the person who asks. */
  value: Condition | null
}

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
  /** Limits of the roles on the rows of resources; none where there is no rule. */
  dataRules?: readonly DataRule[]
  /** In a call that only the permission of a view allows: the views whose rows alone are met. */
  viewed?: readonly Viewed[]
  /** Addresses of calls that are kept for roles this person has none of. */
  closedPaths?: ReadonlySet<string>
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
  if (!request.person) throw refuse('request.unauthenticated')
  return request.person
}
