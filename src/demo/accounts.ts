import { mask } from '#engine'
import { AccountStatus, IdType, UserType } from '#schemas/dictionaries'
import { mailHash } from '../platform/accounts/server/contacts.ts'
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

/** Everybody of the demonstration reads an e-mail address of nobody; the sandbox shows what comes there. */
const mailOf = (account: string): string => `${account}@example.org`

const named = (account: string) => ({ account, email: mailOf(account) })

/** Notes that people read their e-mail address. */
async function confirmMails(around: Accounts, people: readonly { id: string; email: string | null }[]): Promise<void> {
  const { db, tenantId, now } = around
  const rows = people.map(({ id, email }) => ({
    tenantId,
    userId: id,
    channel: 'mail' as const,
    isOff: 0 as const,
    addressHash: mailHash(around, tenantId, email ?? ''),
    confirmTime: now,
    language: 'zh',
    createTime: now,
    updateTime: now,
  }))
  await db.insertInto('contact').values(rows).execute()
}

/** The staff of the demonstration. @returns their ids by account */
export async function makeStaff(around: Accounts): Promise<Record<string, string>> {
  const { db, vault, tenantId, now, topDept, password } = around
  const hash = await hashPassword(password)
  const rows = demoStaff.map(([account, name, role], i) => {
    const phone = `1390000000${i + 1}`
    const sealed = { phone: vault.seal(phone), phoneHash: vault.hash(tenantId, phone), phoneMask: mask.phone(phone) }
    return {
      ...sealed,
      ...named(account),
      tenantId,
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
  const made = await db.insertInto('user').values(rows).returning(['id', 'account', 'email']).execute()
  await confirmMails(around, made)
  return Object.fromEntries(made.map(one => [one.account, one.id]))
}

/** The candidates' accounts: the first is `kaosheng`, the others count up. All share one password and so one hash. */
export async function makeCandidates(around: Accounts, people: readonly Person[]): Promise<string[]> {
  const { db, vault, tenantId, now, password } = around
  const hash = await hashPassword(password)
  const ids: string[] = []
  for (let at = 0; at < people.length; at += 1000) {
    const rows = people.slice(at, at + 1000).map((one, i) => ({
      ...sealedColumns(vault, tenantId, one),
      ...named(at + i === 0 ? 'kaosheng' : `ks${String(at + i).padStart(5, '0')}`),
      tenantId,
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
    const made = await db.insertInto('user').values(rows).returning(['id', 'email']).execute()
    await confirmMails(around, made)
    ids.push(...made.map(one => one.id))
  }
  return ids
}
