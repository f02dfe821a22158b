import { file, ref, text } from '#engine'
import { PayState } from '../../schemas/dictionaries.ts'
import { importModeField } from './import-mode.ts'

/** The paper that proves it: nobody is exempted on a word alone. */
const proof = file('免缴材料', { help: '低保证、脱贫户证明等；名单导入时上传审批名单' })

const asked = { exemptReason: text('免缴原因'), exemptFile: proof }

/** Who need not pay: one person or several with a reason, or a list of people. */
export const exemptActions = {
  exempt: {
    label: '免缴',
    call: 'POST exempt?id',
    when: { payState: PayState.due },
    ask: asked,
  },
  exemptMany: {
    label: '免缴',
    on: 'rows',
    call: 'POST exemptMany?ids',
    ask: asked,
    code: 'exempt',
    done: '{{name}} 已免缴',
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
    ask: { itemId: ref('考试项目', 'examinationitem'), exemptFile: proof, mode: importModeField },
  },
} as const
