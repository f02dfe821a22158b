import { AttachVisible } from '#schemas/dictionaries'
import type { UploadRules } from '../../files/image.ts'

/** What an upload may be and who may see it, by what it is for. */
export interface UploadKind {
  rules: UploadRules
  /** True: candidates may upload it. */
  candidates: boolean
  /** 2 every signed-in person, 3 its owner and whoever is entitled to what it belongs to. */
  visible: 1 | 2 | 3
}

const pictures = 'jpg,jpeg,png'
const papers = 'jpg,jpeg,png,pdf'
const anything = 'jpg,jpeg,png,pdf,docx,xlsx,zip'

const own = (maxKB: number, exts: string): UploadKind => ({
  rules: { maxKB, exts },
  candidates: true,
  visible: AttachVisible.ownerAndStaff,
})
const staff = (visible: 1 | 2 | 3): UploadKind => ({
  rules: { maxKB: 20_480, exts: anything },
  candidates: false,
  visible,
})

/** Kinds of upload by the keys of dictionary `attach_owner`. */
export const uploadKinds = {
  avatar: own(500, pictures),
  card: own(2048, pictures),
  signup: own(5120, papers),
  photo: {
    rules: { maxKB: 2048, exts: pictures, photo: true },
    candidates: true,
    visible: AttachVisible.ownerAndStaff,
  },
  ticketpic: own(5120, pictures),
  voucher: own(5120, papers),
  notice: staff(AttachVisible.public),
  news: staff(AttachVisible.public),
  files: staff(AttachVisible.signedIn),
  invoice: staff(AttachVisible.ownerAndStaff),
  bill: staff(AttachVisible.ownerAndStaff),
  task: staff(AttachVisible.ownerAndStaff),
  approval: staff(AttachVisible.ownerAndStaff),
  flow: staff(AttachVisible.ownerAndStaff),
  publicity: staff(AttachVisible.ownerAndStaff),
  purge: staff(AttachVisible.ownerAndStaff),
  objection: { ...own(5120, papers), candidates: false },
} as const satisfies Record<string, UploadKind>

export type OwnerType = keyof typeof uploadKinds
