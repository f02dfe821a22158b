import { ExamineStatus, SignStatus } from '#schemas/dictionaries'
import type { IdentityExtension } from '../../../platform/accounts/server/extensions.ts'
import type { Live } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { endForHolder } from './leave.ts'

/** Sign-ups past review carry the reviewed identity. @throws signup.notEditable */
async function checkChange(db: Live, userIds: readonly string[]): Promise<void> {
  const approved = await db
    .selectFrom('signup')
    .select('id')
    .where('userId', 'in', userIds)
    .where('signStatus', '=', SignStatus.submitted)
    .where('examine', '=', ExamineStatus.approved)
    .limit(1)
    .executeTakeFirst()
  if (approved) throw refuse('signup.notEditable', { 状态: '已通过审核，须由考务管理员批准' })
}

/** What depends on the identity of a candidate: sign-ups that wait are ended with it, those past review hold it. */
export const signupIdentity: IdentityExtension = { numberLost: endForHolder, checkChange }
