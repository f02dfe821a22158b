import { FullscreenOutlined, RollbackOutlined } from '@ant-design/icons'
import { Button, Card, ConfigProvider } from 'antd'
import type { CSSProperties } from 'react'
import { Link } from 'react-router-dom'
import { useT } from '../../../platform/i18n/i18n.ts'
import { useRefOptions } from '../../../screens/fields/ref-options.ts'
import { Backend } from '../../../screens/window/Backend.tsx'
import { PageSkeleton } from '../../../screens/window/PageSkeleton.tsx'
import { DEFAULT_COLOUR, palettes } from '../../../screens/window/palette.ts'
import { themeOf } from '../../../screens/window/theme.ts'
import { ChooseExam, ExamPicker, useExam } from '../../exams/pages/parts/ExamPicker.tsx'
import './board.css'
import { WideTable } from '../../../screens/WideTable.tsx'
import { type PositionLine, positionFigures } from '../contract.ts'
import { LinePanel, PayPanel, SexPanel, TypePanel } from './panels.tsx'
import { useFigure } from './parts/figures.ts'
import './sums.css'

/** Milliseconds after which the board reads everything again. */
const every = 60_000

/** Positions named on the board. */
const fullest = 10

const shown = [
  ['planNum', '招聘计划数'],
  ['bmrs', '报名人数'],
  ['wshrs', '未审核'],
  ['shtgrs', '审核通过'],
  ['fszrs', '复审中'],
  ['jfrs', '缴费人数'],
] as const satisfies readonly (readonly [keyof PositionLine, string])[]

/** The dark theme, whatever the person chose for other pages: the board is shown on a screen for many. */
const dark = { ...themeOf('dark', DEFAULT_COLOUR), inherit: false }

/** The same colours for what is drawn without antd. */
const night = Object.fromEntries(
  Object.entries(palettes.dark).map(([name, value]) => [`--jx-${name}`, value]),
) as CSSProperties

function Fullest({ rows }: { rows: readonly PositionLine[] }) {
  const t = useT()
  return (
    <Card title={t('报名最多的岗位')}>
      <WideTable<PositionLine>
        label={t('报名最多的岗位')}
        size="small"
        rowKey="code"
        pagination={false}
        width="max-content"
        dataSource={[...rows]}
        columns={[
          { title: t('单位'), dataIndex: 'unitName' },
          { title: t('岗位名称'), dataIndex: 'postName' },
          { title: t('招聘计划数'), dataIndex: 'curPlanNum', align: 'right' },
          { title: t('报名人数'), dataIndex: 'bmrs', align: 'right' },
          { title: t('实际比例'), dataIndex: 'ratio', align: 'right' },
        ]}
      />
    </Card>
  )
}

function Board({ examId }: { examId: string }) {
  const t = useT()
  const { data = [] } = useFigure(positionFigures, { examId, limit: fullest }, every)
  const total = data.at(-1)
  const panel = { examId, every }
  return (
    <>
      <dl className="sums" aria-live="polite">
        {shown.map(([name, title]) => (
          <div key={name}>
            <dt>{t(title)}</dt>
            <dd>{total?.[name] ?? '—'}</dd>
          </div>
        ))}
      </dl>
      <div className="board-panels">
        <TypePanel {...panel} />
        <LinePanel {...panel} />
        <Fullest rows={data.slice(0, -1)} />
        <div style={{ display: 'grid', gap: 16, alignContent: 'start' }}>
          <SexPanel {...panel} />
          <PayPanel {...panel} />
        </div>
      </div>
      <p style={{ margin: 0, color: 'var(--jx-ink-2)' }}>{t('统计截至 {{time}}', { time: total?.time ?? '' })}</p>
    </>
  )
}

function Wall() {
  const t = useT()
  const chosen = useExam()
  const { examId } = chosen
  const { data = [] } = useRefOptions('examination', { ids: examId, enabled: examId !== '' })
  if (chosen.isPending) return <PageSkeleton />
  return (
    <ConfigProvider theme={dark}>
      <main className="board" style={night}>
        <div className="board-head">
          <h1>{data[0]?.label ?? t('大屏')}</h1>
          <ExamPicker chosen={chosen} />
          <Button
            icon={<FullscreenOutlined aria-hidden />}
            onClick={() => void document.documentElement.requestFullscreen?.()}
          >
            {t('全屏')}
          </Button>
          <Link to="/statistics/index">
            <RollbackOutlined aria-hidden /> {t('返回')}
          </Link>
        </div>
        {examId ? <Board key={examId} examId={examId} /> : <ChooseExam chosen={chosen} />}
      </main>
    </ConfigProvider>
  )
}

/** The numbers of an exam on a large screen: dark, in a window of its own, and read again every minute. */
export default function BoardPage() {
  return (
    <Backend>
      <Wall />
    </Backend>
  )
}
