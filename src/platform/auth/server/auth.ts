import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { commaList, impliedBy } from '#engine'
import { resources } from '#resources'
import { AccountStatus, MenuCategory, TenantStatus, UserType } from '#schemas/dictionaries'
import type { DataRule, Person } from '../../http/server/access.ts'
import '../../database/auth-tables.ts'
import { batchQueries } from '../../database/batch-queries.ts'
import { scopeKinds } from '../../database/system-tables.ts'
import { refuse } from '../../http/server/refusal.ts'
import { isIdle, tokenHash } from '../rules/session.ts'
import { followLastSeen } from './last-seen.ts'

/** Somebody who asked for work that is done later, outside the session. */
export interface Requester {
  userId: string
  /** The roles and departments chosen then; of these, those count that the person still has. */
  roleIds: readonly string[]
  deptIds: readonly string[]
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Somebody with what the roles allow now; null when the account may not sign in any more. */
    personNow(requester: Requester): Promise<Person | null>
  }
  interface FastifyContextConfig {
    /** May be called by a person who must change the password or set up a second factor first. */
    beforePasswordChange?: true
  }
}

/** What the roles of a person allow, as read from the database. */
interface Grants extends Pick<Person, 'permissions' | 'dataRules' | 'closedPaths'> {
  version: string
  roles: readonly { id: string; alias: string; isBack: number }[]
}

/** One role with everything that was granted to it. */
interface RoleRow {
  id: string
  alias: string
  isBack: number
  codes: string[]
  dataRules: DataRule[]
}

/** One row: the session of an access token with its person, if everything about both is in order. */
interface Found {
  hash: string
  sessionId: string
  clientId: string
  lastSeen: Date
  chosenRole: string | null
  chosenDept: string | null
  userId: string
  tenantId: string
  account: string
  realName: string
  roleId: string | null
  deptId: string | null
  userType: number
  code: string | null
  mustChangePwd: number
  mustEnrol: boolean
  grantVersion: string
}

/** What is to be known of somebody, with or without a session. */
type Whose = Omit<Found, 'hash' | 'lastSeen' | 'mustChangePwd' | 'mustEnrol'>

/*
 * Each row leads to the next by its key. OFFSET 0 keeps the planner from joining them otherwise: it would do so from what it knew of the
 * tables before they grew, and go through all accounts and sessions for each request until they are analysed.
 */
const sessionQuery = `
SELECT t.hash, s.id AS "sessionId", s."clientId", s."lastSeen", s."roleId" AS "chosenRole", s."deptId" AS "chosenDept",
  s."mustEnrol", u.id AS "userId", u."tenantId", u.account, u."realName", u."roleId", u."deptId", u."userType", u.code, u."mustChangePwd",
  g.version AS "grantVersion"
FROM (SELECT * FROM session_token WHERE hash = ANY($1) OFFSET 0) t
CROSS JOIN LATERAL (SELECT * FROM session WHERE id = t."sessionId" OFFSET 0) s
CROSS JOIN LATERAL (SELECT * FROM "user" WHERE id = s."userId" OFFSET 0) u
CROSS JOIN LATERAL (SELECT * FROM tenant WHERE "tenantId" = u."tenantId" AND "isDeleted" = 0 OFFSET 0) n
CROSS JOIN grant_stamp g
WHERE t.kind = 1 AND t.until > $2 AND s."endTime" IS NULL
  AND u."accountStatus" = ${AccountStatus.active} AND u."isDeleted" = 0
  AND n."tenantStatus" = ${TenantStatus.active} AND (n."expireTime" IS NULL OR n."expireTime" > $2)`

const askerQuery = `
SELECT '' AS "sessionId", '' AS "clientId", $2 AS "chosenRole", $3 AS "chosenDept",
  u.id AS "userId", u."tenantId", u.account, u."realName", u."roleId", u."deptId", u."userType", u.code, g.version AS "grantVersion"
FROM "user" u
JOIN tenant n ON n."tenantId" = u."tenantId" AND n."tenantStatus" = ${TenantStatus.active} AND n."isDeleted" = 0
  AND (n."expireTime" IS NULL OR n."expireTime" > $4)
CROSS JOIN grant_stamp g
WHERE u.id = $1 AND u."accountStatus" = ${AccountStatus.active} AND u."isDeleted" = 0`

const grantsQuery = `
SELECT r.id, r."roleAlias" AS alias, r."isBack",
  array(SELECT m.code FROM role_menu g JOIN menu m ON m.id = g."menuId" AND m."isDeleted" = 0 WHERE g."roleId" = r.id
    AND (p.menus IS NULL OR r."isBack" = 0 OR r."roleAlias" = 'administrator' OR m.id::text = ANY(p.menus)
      OR (m.category = ${MenuCategory.button} AND m."parentId"::text = ANY(p.menus)))) AS codes,
  (SELECT coalesce(json_agg(json_build_object('resource', d."scopeClass", 'type', d."scopeType", 'column', d."scopeColumn",
      'value', d."scopeValue") ORDER BY d.id), '[]') FROM role_scope s JOIN data_scope d ON d.id = s."scopeId"
    AND d."isDeleted" = 0 WHERE s.category = ${scopeKinds.data_scope} AND s."roleId" = r.id) AS "dataRules"
FROM role r
LEFT JOIN LATERAL (SELECT string_to_array(k."menuId", ',') AS menus FROM tenant n
  JOIN tenant_package k ON k.id = n."packageId" AND k."isDeleted" = 0
  WHERE n."tenantId" = r."tenantId" AND n."isDeleted" = 0) p ON true
WHERE r.id = ANY($1) AND r."isDeleted" = 0 ORDER BY r.sort, r.id`

const closedQuery = `
SELECT DISTINCT a."scopePath" AS path FROM api_scope a WHERE a."isDeleted" = 0 AND NOT EXISTS (
  SELECT 1 FROM role_scope s JOIN api_scope b ON b.id = s."scopeId" AND b."isDeleted" = 0 AND b."scopePath" = a."scopePath"
  WHERE s.category = ${scopeKinds.api_scope} AND s."roleId" = ANY($1))`

/** Roles whose people are never limited to some rows, and the one whose people may make every call. */
const unlimited = { rows: ['administrator', 'admin'], calls: 'administrator' }

const endQuery = `UPDATE session SET "endTime" = $2, "endReason" = 'idle' WHERE id = $1 AND "endTime" IS NULL`

const sweepQueries = [
  'DELETE FROM captcha WHERE until < $1',
  'DELETE FROM used_nonce WHERE until < $1',
  'DELETE FROM login_ticket WHERE until < $1',
  'DELETE FROM throttle WHERE until < $1',
  'DELETE FROM known_device WHERE until < $1',
  'DELETE FROM idempotency WHERE "expireTime" < $1',
  'DELETE FROM session_token WHERE until < $1',
  `DELETE FROM session WHERE "lastSeen" < $1::timestamptz - interval '90 days'`,
]

/** What some permissions stand for beside themselves. */
const implied = impliedBy(resources)

/** Longest token looked at; ours have 43 characters. */
const maxToken = 200

function tokenOf(request: FastifyRequest): string | null {
  const header = request.headers['blade-auth']
  const [, token] = /^bearer +(\S+)$/i.exec(typeof header === 'string' ? header : '') ?? []
  return token && token.length <= maxToken ? token : null
}

async function readGrants(app: FastifyInstance, roleIds: readonly string[]): Promise<Omit<Grants, 'version'>> {
  const { rows } = await app.pool.query<RoleRow>({ name: 'grants', text: grantsQuery, values: [roleIds] })
  const closed = await app.pool.query<{ path: string }>({ name: 'closed', text: closedQuery, values: [roleIds] })
  const isUnlimited = rows.some(({ alias }) => unlimited.rows.includes(alias))
  const mayCallAll = rows.some(({ alias }) => alias === unlimited.calls)
  return {
    roles: rows,
    permissions: new Set(rows.flatMap(row => row.codes.flatMap(code => [code, ...(implied.get(code) ?? [])]))),
    dataRules: isUnlimited ? [] : rows.flatMap(row => row.dataRules),
    closedPaths: new Set(mayCallAll ? [] : closed.rows.map(row => row.path)),
  }
}

/** Remembers what roles allow until anything about roles, menus or grants changes. */
function grantReader(app: FastifyInstance) {
  const known = new Map<string, Grants>()
  return async (roleIds: readonly string[], version: string): Promise<Grants> => {
    const key = roleIds.join()
    const found = known.get(key)
    if (found?.version === version) return found
    // The version was read before the grants: at worst they are newer than it says, and are read once more.
    const grants = { version, ...(await readGrants(app, roleIds)) }
    if (known.size > 1000) known.clear()
    known.set(key, grants)
    return grants
  }
}

/** A chosen part of a list counts only as far as it is still in the list. */
const chosenOf = (own: string[], chosen: string | null): string[] =>
  chosen === null ? own : own.filter(id => commaList(chosen).includes(id))

/** What a person must do before anything else: a refusal's code. */
const owedBy = ({ mustChangePwd, mustEnrol }: Found) =>
  mustChangePwd === 1 ? 'auth.passwordChangeRequired' : mustEnrol ? 'auth.secondFactorNotSetUp' : null

/** Who somebody is, with what the roles allow now. */
async function personOf(grantsOf: ReturnType<typeof grantReader>, found: Whose): Promise<Person> {
  const roleIds = chosenOf(commaList(found.roleId), found.chosenRole)
  const { roles, version: _version, ...rights } = await grantsOf(roleIds, found.grantVersion)
  const { userId, tenantId, account, userType, sessionId, clientId } = found
  return {
    userId,
    tenantId,
    account,
    userType,
    sessionId,
    clientId,
    ...rights,
    name: found.realName ?? account,
    roleIds: roles.map(role => role.id),
    roles: roles.map(role => role.alias),
    deptIds: chosenOf(commaList(found.deptId), found.chosenDept),
    userCode: found.code ?? '',
    isStaff: userType !== UserType.candidate && roles.some(role => role.isBack === 1),
  }
}

/**
 * Knows who is calling. The token in the header `Blade-Auth` means nothing by itself: the session in the database decides
 * at every request, so that a logout, a changed password, role or grant counts at the next request in every process.
 */
export default fp(
  async app => {
    const grantsOf = grantReader(app)
    const see = followLastSeen(app)
    if (!app.hasRequestDecorator('person')) app.decorateRequest('person', null)

    const sessionOf = batchQueries<string, Found | undefined>(async hashes => {
      const values = [[...new Set(hashes)], app.now()]
      const { rows } = await app.pool.query<Found>({ name: 'session', text: sessionQuery, values })
      const found = new Map(rows.map(row => [row.hash, row]))
      return hashes.map(hash => found.get(hash))
    })

    app.decorate('personNow', async ({ userId, roleIds, deptIds }: Requester) => {
      const values = [userId, roleIds.join(), deptIds.join(), app.now()]
      const { rows } = await app.pool.query<Whose>({ name: 'asker', text: askerQuery, values })
      return rows[0] ? personOf(grantsOf, rows[0]) : null
    })

    /** @param attended false for what a page asks by itself: nobody need be there, so the idle limit runs on */
    const callerOf = async (
      token: string,
      attended: boolean,
    ): Promise<{ person: Person; owed: ReturnType<typeof owedBy> } | null> => {
      const now = app.now()
      const found = await sessionOf(tokenHash(token))
      if (!found) return null
      if (isIdle(found.userType, found.lastSeen, now)) {
        await app.pool.query(endQuery, [found.sessionId, now])
        return null
      }
      if (attended) await see(found, now)
      return { person: await personOf(grantsOf, found), owed: owedBy(found) }
    }

    app.addHook('onRequest', async request => {
      const token = tokenOf(request)
      if (!token || request.is404) return
      const found = await callerOf(token, request.headers['x-unattended'] === undefined)
      if (!found) return
      request.person = found.person
      const { access, beforePasswordChange } = request.routeOptions.config
      if (found.owed && access !== 'public' && !beforePasswordChange) throw refuse(found.owed)
    })

    const sweep = setInterval(() => {
      const now = app.now()
      for (const text of sweepQueries) app.pool.query(text, [now]).catch(err => app.log.warn({ err }, 'sweep'))
    }, 600_000)
    sweep.unref()
    app.addHook('onClose', async () => clearInterval(sweep))
  },
  { name: 'auth', dependencies: ['vault'] },
)
