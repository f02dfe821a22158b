import { scoped } from '../../../crud/scope.ts'
import { type FileReader, isFound } from '../../../platform/attachments/server/access.ts'
import { isReviewer } from '../../exams/server/staff/reviewer.ts'

/** Files of a sign-up: whoever may see the sign-up. */
export const readsSignUpFile: FileReader = async (app, person, { ownerId }) => {
  if (!ownerId || !person.isStaff) return false
  const inList = await isFound(scoped(app, person, 'signup').where('id', '=', ownerId).select('id').executeTakeFirst())
  return inList || isReviewer(app, person, ownerId)
}
