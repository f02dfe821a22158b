import { sql } from 'kysely'
import type { idclaim } from '#resources/system/idclaim'
import { AccountStatus, AuditStatus, SignStatus, UserType } from '#schemas/dictionaries'
import type { User } from '#schemas/system/user'
import type { Derive, Derived } from '../../../crud/rules.ts'
import type { Reader } from '../../database/database.ts'
import type { Live } from '../../database/live.ts'
import type { Person } from '../../http/server/access.ts'
import { wireTime } from '../../http/server/wire.ts'

/** The accounts that stand in the way of registering a number: one that was refused is used again. */
export const holding = (db: Live, idCardHash: string) =>
  db
    .selectFrom('user')
    .where('idCardHash', '=', idCardHash)
    .where('userType', '=', UserType.candidate)
    .where('accountStatus', '<>', AccountStatus.rejected)

/** The claim `c` and the account `u` that has its number, or had it when the claim was passed. */
const joined = sql`idclaim c JOIN "user" u ON u."tenantId" = c."tenantId" AND (u.id = c."holderId"
  OR (c."claimStatus" = ${sql.lit(AuditStatus.pending)} AND u."idCardHash" = c."idCardHash" AND u."userType" = ${sql.lit(UserType.candidate)} AND u."accountStatus" <> ${sql.lit(AccountStatus.rejected)}
    AND u."isDeleted" = 0))`

/** A name of which the first character is shown. */
const maskName = (name: string): string => name.slice(0, 1) + '*'.repeat(Math.max(name.length - 1, 1))

interface Holder {
  claimId: string
  account: string
  realName: string
  phoneMask: string | null
  accountStatus: User['accountStatus']
  createTime: Date
  lastLoginTime: Date | null
  cardFront: string | null
  cardBack: string | null
  signups: number
}

const shown = (row: Holder | undefined): Derived<typeof idclaim> | undefined =>
  row && {
    holderAccount: maskName(row.account),
    holderName: maskName(row.realName),
    holderPhone: row.phoneMask,
    holderStatus: row.accountStatus,
    holderSince: wireTime(row.createTime),
    holderLogin: row.lastLoginTime && wireTime(row.lastLoginTime),
    holderSignups: row.signups,
    holderFront: row.cardFront,
    holderBack: row.cardBack,
  }

/** Claims are shown beside what is known of the account that has the number. */
export const deriveHolder: Derive<typeof idclaim> = async ({ app, person }, rows) => {
  const ids = rows.map(row => row.id)
  const { rows: found } = await sql<Holder>`SELECT c.id::text AS "claimId", u.account, u."realName", u."phoneMask",
      u."accountStatus", u."createTime", u."lastLoginTime", u."cardFront"::text AS "cardFront",
      u."cardBack"::text AS "cardBack", (SELECT count(*)::int FROM signup s WHERE s."userId" = u.id
        AND s."signStatus" = ${sql.lit(SignStatus.submitted)} AND s."isDeleted" = 0) AS signups
      FROM ${joined} WHERE c.id = ANY(${ids}::bigint[]) AND c."tenantId" = ${person.tenantId}`.execute(app.db)
  return rows.map(row => shown(found.find(one => one.claimId === row.id)))
}

/** Whether a picture stands in a claim or with the account that has the number claimed. */
export async function isOfClaim(db: Reader, { tenantId }: Person, fileId: string): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM idclaim c WHERE c."tenantId" = ${tenantId} AND c."isDeleted" = 0
    AND (c."cardFront" = ${fileId} OR c."cardBack" = ${fileId})
    UNION ALL SELECT 1 FROM ${joined} WHERE c."tenantId" = ${tenantId} AND c."isDeleted" = 0
    AND (u."cardFront" = ${fileId} OR u."cardBack" = ${fileId}) LIMIT 1`.execute(db)
  return rows.length > 0
}
