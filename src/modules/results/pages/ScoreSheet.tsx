import { call, saveFile } from '../../../platform/http/browser/call.ts'
import { StageSheet } from '../../exams/pages/parts/StageSheet.tsx'
import { importResults, resultTemplate } from '../contract.ts'

/** Results of a stage from a workbook. */
export function ScoreSheet({ itemId, ...events }: { itemId: string; onDone: () => void; onClose: () => void }) {
  return (
    <StageSheet
      {...events}
      title={'导入成绩'}
      give={() => saveFile(resultTemplate, { itemId })}
      take={(file, mode, options) => call(importResults, { itemId, mode }, { ...options, files: { file } })}
      hint="模板已填好本项目的考生"
      done="导入 {{ok}} 人，有误 {{bad}} 行"
    />
  )
}
