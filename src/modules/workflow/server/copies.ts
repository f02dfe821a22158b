import type { Live } from '../../../platform/database/live.ts'
import { FlowProblem } from '../rules/problem.ts'
import type { FlowAction } from './action.ts'
import { namesIn } from './people.ts'
import './flow-tables.ts'

/** Most people who are told of a run at once. */
const mostCopies = 50

/**
 * Tells people of a run without asking anything of them. Whoever is told already is not told again.
 * @param users ids
 * @throws FlowProblem when one of them is not there, or there are too many
 */
export async function addCopies(
  db: Live,
  { instanceId, nodeId, now }: { instanceId: string; nodeId: string | null; now: Date },
  users: readonly string[],
): Promise<void> {
  const wanted = [...new Set(users)]
  if (wanted.length === 0) return
  if (wanted.length > mostCopies) throw new FlowProblem(`抄送不能超过${mostCopies}人`)
  const isIds = wanted.every(one => /^[1-9]\d{0,18}$/.test(one))
  const found = isIds ? await db.selectFrom('user').select('id').where('id', 'in', wanted).execute() : []
  if (found.length < wanted.length) throw new FlowProblem('抄送人不存在')
  await db
    .insertInto('flow_copy')
    .values(wanted.map(userId => ({ instanceId, userId, nodeId, createTime: now })))
    .onConflict(conflict => conflict.columns(['instanceId', 'userId']).doNothing())
    .execute()
}

/** Tells people of the run at a step of the model: field `users` names them. */
export const copyAction: FlowAction = {
  name: 'copy',
  title: '抄送',
  fields: [{ name: 'users', title: '抄送人', required: true, isPeople: true }],
  when: 'inside',
  async run({ db, run, node, now }, { users = null }) {
    await addCopies(db, { instanceId: run.id, nodeId: node.id, now }, namesIn(users))
    return undefined
  },
}
