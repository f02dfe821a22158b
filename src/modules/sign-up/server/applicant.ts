import { birthdayOf, sexOf } from '#engine'
import { IdType, Sex } from '#schemas/dictionaries'
import type { Caller } from '../../../platform/access/server/caller.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'

/** The real-name data of a candidate, which every sign-up copies. */
export interface Applicant {
  realName: string
  idType: number
  idCard: string
  phone: string
  sex: 1 | 2 | 3
  birthday: string
  avatar: string | null
}

/** The caller's own real-name data, whole; what is missing is empty. */
export async function readApplicant({
  db,
  vault,
  person,
}: Pick<Caller, 'db' | 'vault' | 'person'>): Promise<Applicant> {
  const user = await db
    .selectFrom('user')
    .select(['realName', 'idType', 'idCard', 'phone', 'sex', 'birthday', 'avatar'])
    .where('id', '=', person.userId)
    .executeTakeFirst()
  const idCard = user?.idCard ? vault.open(user.idCard) : ''
  const isNational = idCard.length === 18 && (user?.idType ?? IdType.residentCard) === IdType.residentCard
  return {
    realName: user?.realName ?? '',
    idType: user?.idType ?? IdType.residentCard,
    idCard,
    phone: user?.phone ? vault.open(user.phone) : '',
    sex: isNational ? sexOf(idCard) : (user?.sex ?? Sex.unknown),
    birthday: isNational ? birthdayOf(idCard) : (user?.birthday ?? ''),
    avatar: user?.avatar ?? null,
  }
}

/** True when nothing of the real-name data is missing. */
export const isComplete = (one: Applicant): boolean =>
  one.realName !== '' && one.idCard !== '' && one.phone !== '' && one.birthday !== '' && one.sex !== Sex.unknown

/** The caller's real-name data. @throws signup.identityIncomplete when something of it is missing */
export async function findApplicant(caller: Caller): Promise<Applicant> {
  const applicant = await readApplicant(caller)
  if (!isComplete(applicant)) throw refuse('signup.identityIncomplete')
  return applicant
}
