import { dict, endpoint, group, id, integer, optional, sometimes, text } from '#engine'
import { attachOwner } from '#schemas/dictionaries'

/** Largest upload of all kinds, in KB. */
const upload = { files: 1, KB: 20_480, fields: 10, fieldKB: 1 } as const

/** What is known of a file that was taken. */
const stored = {
  attachId: id('附件'),
  link: text('附件地址'),
  name: text('存储名'),
  originalName: text('原名'),
  size: integer('大小(字节)'),
  extension: text('扩展名'),
  contentType: text('实际类型'),
  width: sometimes(integer('宽度')),
  height: sometimes(integer('高度')),
}

const owner = dict('归属类型', attachOwner)
const examId = sometimes(id('考试'))
const fileCode = sometimes(text('附件代码', { maxLength: 50 }))

/** Keeps a file for what it is named for. */
export const uploadAttach = endpoint('attachments.upload', 'POST /blade-resource/attach/upload', {
  title: '附件：上传',
  access: 'signed-in',
  upload,
  query: { owner, examId, fileCode },
  answer: group(stored),
})

/** Keeps a file. Clients of Blade say no more than the file: then it is a picture of the person. */
export const putFile = endpoint('attachments.putFile', 'POST /blade-resource/oss/endpoint/put-file', {
  title: '对象存储：上传',
  access: 'signed-in',
  upload,
  query: { owner: sometimes(owner), examId, fileCode },
  answer: group({ ...stored, domain: text('域名') }),
})

/** {@link putFile} by another name of Blade. */
export const putFileAttach = endpoint(
  'attachments.putFileAttach',
  'POST /blade-resource/oss/endpoint/put-file-attach',
  {
    title: '对象存储：上传并登记附件',
    access: 'signed-in',
    upload,
    query: { owner: sometimes(owner), examId, fileCode },
    answer: group({ ...stored, domain: text('域名') }),
  },
)

/**
 * Asks for an address in the bucket to which the browser puts a file by itself; what it says of the file must then be so. Without
 * an address in the answer the file is to be sent by {@link uploadAttach}.
 */
export const signUpload = endpoint('attachments.sign', 'POST /blade-resource/attach/sign', {
  title: '附件：申请直传',
  access: 'signed-in',
  body: {
    name: text('原名', { maxLength: 300 }),
    size: integer('大小(字节)', { minimum: 1 }),
    type: text('类型', { maxLength: 100, pattern: '^[\\w.+-]+/[\\w.+-]+$' }),
    owner,
    examId: optional(id('考试')),
    fileCode: optional(text('附件代码', { maxLength: 50 })),
  },
  answer: group({ id: sometimes(id('上传')), url: sometimes(text('上传地址')) }),
})

/** Says that a file was put to the address of {@link signUpload}: it is looked at, and kept or refused. */
export const arrivedUpload = endpoint('attachments.arrived', 'POST /blade-resource/attach/arrived', {
  title: '附件：直传完成',
  access: 'signed-in',
  body: { id: id('上传') },
  answer: group({ ...stored, domain: text('域名') }),
})
