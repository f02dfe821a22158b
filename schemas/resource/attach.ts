import { dict, entity, filled, integer, optional, type Row, state, text } from '#engine'
import { attachOwner, attachVisible, scanState } from '../dictionaries.ts'

export const Attach = entity(
  'attach',
  '附件',
  {
    link: filled(text('附件地址', { maxLength: 1000 })),
    domainUrl: filled(optional(text('附件域名', { maxLength: 500 }))),
    name: filled(text('存储名', { maxLength: 500 })),
    originalName: filled(text('原名', { maxLength: 500 })),
    extension: filled(text('扩展名', { maxLength: 12 })),
    attachSize: filled(integer('大小(字节)', { minimum: 0 })),
    contentType: filled(text('实际类型', { maxLength: 100 })),
    sha256: filled(text('摘要', { maxLength: 64 })),
    ownerType: filled(optional(dict('归属类型', attachOwner))),
    ownerId: filled(optional(text('归属主键', { maxLength: 20 }))),
    visible: filled(dict('可见级别', attachVisible)),
    scanState: state('安全检查', scanState),
    ossCode: filled(optional(text('存储编号', { maxLength: 32 }))),
  },
  { label: 'originalName', indexes: [['ownerType', 'ownerId']] },
)
export type Attach = Row<typeof Attach>

declare module '#engine' {
  interface Entities {
    attach: typeof Attach
  }
}
