import { readsVoucher } from '../modules/messages/server/file-access.ts'
import { offersDownload, offersNoticeFile, readsNoticeFile } from '../modules/notices/server/file-access.ts'
import { readsBill, readsRecordFile } from '../modules/payment/server/file-access.ts'
import { readsPurgeFile } from '../modules/privacy/server/purge/rules.ts'
import { readsObjectionFile, readsPublicityFile } from '../modules/publicity/server/files.ts'
import { readsSignUpFile } from '../modules/sign-up/server/file-access.ts'
import { readsTicketPicture } from '../modules/tickets/server/file-access.ts'
import { readsFlowFile } from '../modules/workflow/server/form-files.ts'
import { readsPersonalPicture } from '../platform/accounts/server/file-access.ts'
import { type FileAccess, withPermission } from '../platform/attachments/server/access.ts'

/** Who may read files, by what they are for. A kind of file without a reader does not compile. */
export const fileAccess: FileAccess = {
  readers: {
    signup: readsSignUpFile,
    photo: readsSignUpFile,
    avatar: readsPersonalPicture,
    card: readsPersonalPicture,
    ticketpic: readsTicketPicture,
    voucher: readsVoucher,
    invoice: readsRecordFile,
    notice: readsNoticeFile,
    news: withPermission('news'),
    files: withPermission('files'),
    bill: readsBill,
    task: async () => false,
    approval: withPermission('examination'),
    flow: readsFlowFile,
    publicity: readsPublicityFile,
    objection: readsObjectionFile,
    purge: readsPurgeFile,
  },
  offers: { files: offersDownload, notice: offersNoticeFile },
}
