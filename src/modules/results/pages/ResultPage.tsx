import { useQueryClient } from '@tanstack/react-query'
import { Alert, Card, Flex, Statistic } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { Resource } from '#engine'
import { result } from '#resources/results/result'
import { ReleaseStatus } from '#schemas/dictionaries/administration'
import { saveFile } from '../../../platform/http/browser/call.ts'
import { useT } from '../../../platform/i18n/i18n.ts'
import { DictTag } from '../../../screens/fields/DictText.tsx'
import ListScreen from '../../../screens/ListScreen.tsx'
import { useMay } from '../../../screens/may.ts'
import { Nothing } from '../../../screens/parts/Nothing.tsx'
import { useEndpoint } from '../../../screens/parts/use-endpoint.ts'
import { PageSkeleton } from '../../../screens/window/PageSkeleton.tsx'
import { ChooseExam, ExamPicker, useExam } from '../../exams/pages/parts/ExamPicker.tsx'
import { type Move, type ResultStage, resultTemplate, stagesWithResults } from '../contract.ts'
import { StageActions } from './StageActions.tsx'

const ScoreSheet = lazy(() => import('./ScoreSheet.tsx').then(part => ({ default: part.ScoreSheet })))

/** The rows of a stage: what concerns the stage as a whole stands above them. */
const isOwn = (field: string): boolean => field !== 'examId' && field !== 'itemId'
const rows: Resource = {
  ...result,
  actions: {},
  can: ['view', 'add', 'edit', 'remove', 'export'],
  search: result.search.filter(isOwn),
  columns: result.columns.filter(one => isOwn(one.field)),
}

/** The same while the stage is released: nothing of it can be changed. */
const released: Resource = { ...rows, can: ['view', 'export'] }

/** The same before the stage has begun: nothing can be entered. */
const early: Resource = { ...rows, can: ['view', 'export'] }

const done: Record<Move['kind'], string> = {
  release: '{{time}} 由 {{name}} 发布',
  recall: '{{time}} 由 {{name}} 撤回',
  delete: '{{time}} 由 {{name}} 清空',
  next: '{{time}} 由 {{name}} 生成入围',
}

function LastMove({ of }: { of: Move }) {
  const t = useT()
  if (of.problem) return <Alert type="error" showIcon title={`${t('定时发布失败')}：${of.problem}`} />
  const what = of.time
    ? t(done[of.kind], { time: of.time, name: of.userName })
    : t('将于 {{time}} 由 {{name}} 定时发布', { time: of.dueTime, name: of.userName })
  return <Alert type="info" showIcon title={of.reason ? `${what}：${of.reason}` : what} />
}

function StagePanel({ stage, ...acts }: { stage: ResultStage; onDone: () => void; onTake: () => void }) {
  const t = useT()
  const { missing } = stage
  return (
    <Card>
      <Flex vertical gap={16}>
        <Flex wrap gap={32} align="center">
          <DictTag code="release_status" value={stage.resultRelease} />
          <Statistic title={t('应有成绩')} value={stage.people} />
          <Statistic title={t('已有成绩')} value={stage.results} />
          <Statistic
            title={t('尚缺（含未建记录）')}
            value={missing}
            styles={missing && !stage.block.enter ? { content: { color: 'var(--jx-bad)' } } : undefined}
          />
          <Statistic title={t('缺考')} value={stage.absent} />
          <Statistic title={t('违纪')} value={stage.cheated} />
          {stage.resultRelease === ReleaseStatus.released && <Statistic title={t('入围')} value={stage.next} />}
        </Flex>
        {stage.last !== '' && <LastMove of={stage.last} />}
        <StageActions stage={stage} {...acts} />
      </Flex>
    </Card>
  )
}

/** Results of an exam's stages: sheet in, checked, released. */
export default function ResultPage() {
  const t = useT()
  const chosen = useExam()
  const client = useQueryClient()
  const [round, setRound] = useState(0)
  const [isTaking, take] = useState(false)
  const may = useMay(result)
  const stages = useEndpoint(stagesWithResults, { examId: chosen.examId }, { enabled: chosen.examId !== '' })
  const stage = stages.data?.find(one => one.itemId === chosen.itemId) ?? stages.data?.[0]
  const done = (): void => {
    setRound(round + 1)
    void client.invalidateQueries({ queryKey: [stagesWithResults.path] })
  }
  const next = [
    { label: '下载模板', run: () => void saveFile(resultTemplate, { itemId: stage?.itemId ?? '' }) },
    { label: '导入', run: () => take(true) },
  ]
  if (chosen.isPending) return <PageSkeleton />
  return (
    <Flex vertical gap={16}>
      <ExamPicker chosen={chosen} stages={stages.data} itemId={stage?.itemId} />
      {!chosen.examId && <ChooseExam chosen={chosen} />}
      {stages.data?.length === 0 && <Nothing text={t('该考试还没有考试项目')} />}
      {stage && <StagePanel stage={stage} onDone={done} onTake={() => take(true)} />}
      {stage && (
        <Card>
          <ListScreen
            key={`${stage.itemId} ${round}`}
            resource={stage.resultRelease === ReleaseStatus.released ? released : stage.block.enter ? early : rows}
            filter={{ itemId: stage.itemId }}
            title={result.title}
            slots={{
              next: may('import') && stage.resultRelease !== ReleaseStatus.released && !stage.block.enter ? next : [],
            }}
            embedded
            chips
          />
        </Card>
      )}
      <Suspense fallback={null}>
        {isTaking && stage && <ScoreSheet itemId={stage.itemId} onDone={done} onClose={() => take(false)} />}
      </Suspense>
    </Flex>
  )
}
