import { AttachVisible } from '#schemas/dictionaries'
import type { Files } from '#schemas/notices/files'
import type { News } from '#schemas/notices/news'
import type { Hooks } from '../../../crud/rules.ts'
import { claimFiles, dropFiles } from '../../../platform/attachments/server/claim.ts'

/** A file of the download area takes its size and kind from the upload, which belongs to it from then on. */
export const filesHooks: Hooks<typeof Files> = {
  async beforeSubmit({ db, person, now, set }, { attachId }, before) {
    if (!attachId || attachId === before?.attachId) return
    const [file] = await claimFiles(db, person, [attachId], {
      // A new row has no id yet; the attachment itself names what it is for.
      owner: 'files',
      ownerId: before?.id ?? attachId,
      visible: AttachVisible.ownerAndStaff,
    })
    if (before) await dropFiles(db, [before.attachId], now)
    set({ fileSize: file?.fileSize ?? null, ext: file?.ext ?? null, downNum: before?.downNum ?? 0 })
  },
  async beforeRemove({ db, now }, rows) {
    await dropFiles(
      db,
      rows.map(row => row.attachId),
      now,
    )
  },
}

/** News count their readers from 0. */
export const newsHooks: Hooks<typeof News> = {
  async beforeSubmit({ db, person, set }, { cover }, before) {
    // A cover stands on pages that need no token.
    if (cover && cover !== before?.cover)
      await claimFiles(db, person, [cover], {
        owner: 'news',
        ownerId: before?.id ?? cover,
        visible: AttachVisible.public,
      })
    if (!before) set({ viewNum: 0 })
  },
  async beforeRemove({ db, now }, rows) {
    await dropFiles(
      db,
      rows.map(row => row.cover),
      now,
    )
  },
}
