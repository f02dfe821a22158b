import { AttachVisible } from '#schemas/dictionaries'
import type { HookContext, Hooks, Values } from '../../../crud/rule-types.ts'
import { claimFiles, dropFiles } from '../../../platform/attachments/server/claim.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'

/** What is online comes down before it goes. */
function checkOffline(rows: readonly Values[], state: string): void {
  if (rows.some(row => row[state] === 1)) throw refuse(29009)
}

const stay = (values: Values, before: Values | null, name: string): boolean =>
  !values[name] || values[name] === before?.[name]

/** A file of the download area takes its size and kind from the upload, which belongs to it from then on. */
export const filesHooks: Hooks = {
  async beforeSubmit(ctx, values, before) {
    if (stay(values, before, 'attachId')) return values
    const [file] = await claimFiles(ctx.trx, ctx.person, [String(values.attachId)], {
      // A new row has no id yet; the attachment itself names what it is for.
      owner: 'files',
      ownerId: String(before?.id ?? values.attachId),
      visible: AttachVisible.ownerAndStaff,
    })
    if (before) await dropFiles(ctx.trx, [before.attachId], ctx.now)
    return { ...values, fileSize: file?.fileSize ?? null, ext: file?.ext ?? null, downNum: before?.downNum ?? 0 }
  },
  async beforeRemove({ trx, now }, rows) {
    checkOffline(rows, 'filesStatus')
    await dropFiles(
      trx,
      rows.map(row => row.attachId),
      now,
    )
  },
}

/** A cover stands on pages that need no token. */
async function claimCover({ trx, person }: HookContext, values: Values, before: Values | null): Promise<void> {
  if (stay(values, before, 'cover')) return
  const cover = String(values.cover)
  await claimFiles(trx, person, [cover], {
    owner: 'news',
    ownerId: String(before?.id ?? cover),
    visible: AttachVisible.public,
  })
}

/** News count their readers from nought. */
export const newsHooks: Hooks = {
  async beforeSubmit(ctx, values, before) {
    await claimCover(ctx, values, before)
    return before ? values : { ...values, viewNum: 0 }
  },
  async beforeRemove({ trx, now }, rows) {
    checkOffline(rows, 'newsStatus')
    await dropFiles(
      trx,
      rows.map(row => row.cover),
      now,
    )
  },
}
