import { StageSheet } from '../../exams/pages/parts/StageSheet.tsx'

/** Results of a stage from a workbook. */
export function ScoreSheet(props: { itemId: string; onDone: () => void; onClose: () => void }) {
  return (
    <StageSheet
      {...props}
      title={'导入成绩'}
      give={'getResultTemplate'}
      take={'importResult'}
      hint="模板已填好本项目的考生"
      done="导入 {{ok}} 人，有误 {{bad}} 行"
    />
  )
}
