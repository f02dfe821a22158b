import { scoped } from '../../../crud/scope.ts'
import { type FileReader, isFound } from '../../attachments/server/access.ts'
import { isOfClaim } from './claim-holder.ts'

/**
 * Portraits and ID cards: whoever looks after accounts; a portrait also whoever may see a sign-up that carries it, a card
 * whoever decides on a claim of its number.
 */
export const readsPersonalPicture: FileReader = async (app, person, { id, ownerType }) => {
  if (person.permissions.has('user_view') || person.permissions.has('user_audit')) return true
  if (ownerType === 'card') return person.permissions.has('idclaim') && isOfClaim(app.db, person, id)
  if (ownerType !== 'avatar' || !person.isStaff) return false
  return isFound(scoped(app, person, 'signup').where('photo', '=', id).select('id').executeTakeFirst())
}
