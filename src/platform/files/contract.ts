import { dict, download, endpoint, group, id, integer, optional, rowOf, sometimes, text, words } from '#engine'
import { attach } from '#resources/resource/attach'
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

/** An address that saves a file that its reader may see, for whoever has it, for five minutes. */
export const attachAddress = endpoint('attachments.address', 'GET /blade-resource/attach/address', {
  title: '附件：下载地址',
  access: 'signed-in',
  query: { id: id('编号') },
  answer: group({ url: text('下载地址') }),
})

/** A file that its reader may see, without its bytes. */
export const attachDetail = endpoint('attachments.detail', 'GET /blade-resource/attach/detail', {
  title: '附件：详情',
  access: 'signed-in',
  query: { id: id('编号') },
  answer: rowOf(attach),
})

/** A file is asked for by its id; what a signed address carries beside it stands for who may read it. */
const file = {
  access: 'public',
  query: {
    id: id('编号'),
    /** Pixels of a picture, at most: pictures are shown at most this wide. */
    w: sometimes(integer('宽度', { minimum: 1, maximum: 1600 })),
    inline: sometimes(words('是否直接显示', 0, 1)),
    exp: sometimes(integer('有效期')),
    sig: sometimes(text('签名', { maxLength: 64 })),
  },
  answer: download('any', 'jpg', 'png', 'pdf'),
} as const

/** The bytes of a file that its reader may see; a picture also smaller. */
export const attachFile = endpoint('attachments.download', 'GET /blade-resource/attach/download', {
  title: '附件：下载',
  ...file,
})

/** {@link attachFile} for whoever is not signed in. */
export const publicFile = endpoint('attachments.publicDownload', 'GET /public/download', {
  title: '公开文件：下载',
  ...file,
})
