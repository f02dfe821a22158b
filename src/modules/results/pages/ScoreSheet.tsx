import { download, upload } from '../../../platform/http/browser/transfer.ts'
import { StageSheet } from '../../exams/pages/parts/StageSheet.tsx'

const base = '/blade-exam/examination'

/** Results of a stage from a workbook. */
export function ScoreSheet({ itemId, ...events }: { itemId: string; onDone: () => void; onClose: () => void }) {
  return (
    <StageSheet
      {...events}
      title={'导入成绩'}
      give={() => download(`${base}/getResultTemplate`, { params: { itemId } })}
      take={(file, mode, options) => {
        const form = new FormData()
        form.append('itemId', itemId)
        form.append('mode', String(mode))
        form.append('file', file)
        return upload(`${base}/importResult`, form, options)
      }}
      hint="模板已填好本项目的考生"
      done="导入 {{ok}} 人，有误 {{bad}} 行"
    />
  )
}
