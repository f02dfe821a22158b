import { mask } from '#engine'
import { AccountStatus, IdType, UserType } from '#schemas/dictionaries'
import { demoStaff } from '../platform/accounts/server/demo-accounts.ts'
import type { Reader } from '../platform/database/database.ts'
import { roleIds } from '../platform/tenants/server/seed/roles.ts'
import { hashPassword } from '../platform/vault/password.ts'
import type { Person } from './people.ts'

/** Seals personal text and hashes it for search. */
export interface Vault {
  seal(text: string): string
  hash(tenantId: string, text: string): string
}

interface Accounts {
  db: Reader
  vault: Vault
  tenantId: string
  now: Date
  topDept: string
  password: string
}

const idsOf = (aliases: string) =>
  aliases
    .split(',')
    .map(alias => roleIds[alias])
    .join(',')

/** Personal text as its three columns. */
export const sealedColumns = (
  vault: Vault,
  tenantId: string,
  { idCard, phone }: { idCard: string; phone: string },
) => ({
  idCard: vault.seal(idCard),
  idCardHash: vault.hash(tenantId, idCard),
  idCardMask: mask.idCard(idCard),
  phone: vault.seal(phone),
  phoneHash: vault.hash(tenantId, phone),
  phoneMask: mask.phone(phone),
})

/** The staff of the demonstration. @returns their ids by account */
export async function makeStaff({
  db,
  vault,
  tenantId,
  now,
  topDept,
  password,
}: Accounts): Promise<Record<string, string>> {
  const hash = await hashPassword(password)
  const rows = demoStaff.map(([account, name, role], i) => {
    const phone = `1390000000${i + 1}`
    const sealed = { phone: vault.seal(phone), phoneHash: vault.hash(tenantId, phone), phoneMask: mask.phone(phone) }
    return {
      ...sealed,
      tenantId,
      account,
      name,
      realName: name,
      password: hash,
      userType: UserType.staff,
      idType: IdType.residentCard,
      roleId: idsOf(role),
      deptId: topDept,
      accountStatus: AccountStatus.active,
      createTime: now,
      updateTime: now,
    }
  })
  const made = await db.insertInto('user').values(rows).returning(['id', 'account']).execute()
  return Object.fromEntries(made.map(one => [one.account, one.id]))
}

/** The candidates' accounts: the first is `kaosheng`, the others count up. All share one password and so one hash. */
export async function makeCandidates(
  { db, vault, tenantId, now, password }: Accounts,
  people: readonly Person[],
): Promise<string[]> {
  const hash = await hashPassword(password)
  const ids: string[] = []
  for (let at = 0; at < people.length; at += 1000) {
    const rows = people.slice(at, at + 1000).map((one, i) => ({
      ...sealedColumns(vault, tenantId, one),
      tenantId,
      account: at + i === 0 ? 'kaosheng' : `ks${String(at + i).padStart(5, '0')}`,
      name: one.name,
      realName: one.name,
      password: hash,
      userType: UserType.candidate,
      idType: IdType.residentCard,
      sex: one.sex,
      birthday: one.birthday,
      roleId: roleIds.candidate as string,
      accountStatus: AccountStatus.active,
      createTime: now,
      updateTime: now,
    }))
    const made = await db.insertInto('user').values(rows).returning('id').execute()
    ids.push(...made.map(one => one.id))
  }
  return ids
}
