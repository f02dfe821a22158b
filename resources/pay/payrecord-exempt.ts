import { ref, text } from '#engine'
import { importModeField } from './import-mode.ts'

/** Who need not pay: one person with a reason, or a list of people. */
export const exemptActions = {
  exempt: {
    label: '免缴',
    call: 'POST exempt?id',
    when: { payState: 0 },
    ask: { exemptReason: text('免缴原因') },
    input: ['exemptFile'],
  },
  exemptTemplate: {
    label: '下载免缴模板',
    on: 'toolbar',
    call: 'GET exemptTemplate',
    download: true,
    code: 'importExempt',
  },
  importExempt: {
    label: '导入免缴名单',
    on: 'toolbar',
    call: 'POST importExempt',
    upload: '.xlsx',
    ask: { itemId: ref('考试项目', 'examinationitem'), mode: importModeField },
  },
} as const
