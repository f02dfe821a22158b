import { dateTime, dict, entity, filled, longText, type Row, ref, text } from '#engine'
import { jobLogLevel } from '../dictionaries.ts'

/** A line that was written while a run was made. */
export const JobLog = entity(
  'job-log',
  '任务日志',
  {
    instanceId: filled(ref('运行记录', 'job-instance', { onRemove: 'with', enforced: false })),
    logTime: filled(dateTime('时间')),
    logLevel: filled(dict('级别', jobLogLevel)),
    node: filled(text('进程', { maxLength: 100 })),
    text: filled(longText('内容', { maxLength: 2000 })),
  },
  { label: 'text', indexes: [['logTime']] },
)
export type JobLog = Row<typeof JobLog>

declare module '#engine' {
  interface Entities {
    'job-log': typeof JobLog
  }
}
