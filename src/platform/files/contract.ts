import { download, endpoint, group, id, integer, rowOf, sometimes, text, words } from '#engine'
import { attach } from '#resources/resource/attach'

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
