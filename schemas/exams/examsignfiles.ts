import { entity, file, flag, integer, json, optional, type Row, ref, text } from '#engine'
import { keeping } from '../keeping.ts'

export const Examsignfiles = entity(
  'examsignfiles',
  '考试报名附件项',
  {
    examId: ref('考试', 'examination', { onRemove: 'with' }),
    fileCode: text('附件编码', { maxLength: 50 }),
    fileName: text('附件名称', { maxLength: 50 }),
    fileDesc: optional(text('要求说明')),
    required: flag('必传'),
    minNum: optional(integer('最少份数', { minimum: 0 })),
    maxNum: integer('最多份数', { minimum: 0, default: 5 }),
    maxSize: integer('单个上限(KB)', { minimum: 0, default: 5120 }),
    exts: text('允许格式', { maxLength: 100 }),
    isPhoto: flag('证件照'),
    photoW: optional(integer('像素宽', { minimum: 0 })),
    photoH: optional(integer('像素高', { minimum: 0 })),
    sample: optional(file('样例')),
    showWhen: optional(json('必传条件')),
    sort: integer('排序', { minimum: 0 }),
    enable: flag('启用', { default: 1 }),
  },
  { label: 'fileName', history: true, uniques: [['examId', 'fileCode']], keep: keeping.office },
)
export type Examsignfiles = Row<typeof Examsignfiles>

declare module '#engine' {
  interface Entities {
    examsignfiles: typeof Examsignfiles
  }
}
