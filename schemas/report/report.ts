import { entity, file, filled, optional, type Row, text } from '#engine'
import { keeping } from '../keeping.ts'

export const Report = entity(
  'report',
  '报表',
  {
    name: filled(text('文件名', { maxLength: 100 })),
    content: filled(optional(file('文件内容'))),
  },
  { label: 'name', keep: keeping.office },
)
export type Report = Row<typeof Report>

declare module '#engine' {
  interface Entities {
    report: typeof Report
  }
}
