import { DownloadOutlined } from '@ant-design/icons'
import { useQueryClient } from '@tanstack/react-query'
import { Button, Card, Col, Flex, Row, Select, Statistic, Typography } from 'antd'
import { useState } from 'react'
import { saveFile } from '../../../platform/http/browser/call.ts'
import { useT } from '../../../platform/i18n/i18n.ts'
import { useCan } from '../../../screens/providers/rights.ts'
import { PageSkeleton } from '../../../screens/window/PageSkeleton.tsx'
import { ChooseExam, type ChosenExam, ExamPicker, useExam } from '../../exams/pages/parts/ExamPicker.tsx'
import {
  type Narrowing,
  type PositionLine,
  positionFigures,
  positionSheet,
  stagesOfExam,
  unitTree,
} from '../contract.ts'
import { PositionTable } from './PositionTable.tsx'
import { LinePanel, PayPanel, SexPanel, TypePanel } from './panels.tsx'
import { useFigure } from './parts/figures.ts'

/** Address below which all figures stand. */
const folder = positionFigures.path.replace(/\w+$/, '')

const shown = [
  ['planNum', '招聘计划数'],
  ['bmrs', '报名人数'],
  ['wshrs', '未审核'],
  ['shtgrs', '审核通过'],
  ['shbtgrs', '审核不通过'],
  ['thrs', '退回修改'],
  ['fszrs', '复审中'],
  ['jfrs', '缴费人数'],
] as const satisfies readonly (readonly [keyof PositionLine, string])[]

function Sums({ of }: { of: PositionLine }) {
  const t = useT()
  return (
    <Card>
      <Flex wrap gap="16px 40px">
        {shown.map(([name, title]) => (
          <Statistic key={name} title={t(title)} value={of[name]} />
        ))}
        <Statistic title={t('实际比例')} value={of.ratio === '' ? '—' : `${of.ratio} : 1`} />
      </Flex>
    </Card>
  )
}

interface FilterProps {
  examId: string
  value: Narrowing
  onChange: (value: Narrowing) => void
}

/** Narrows the figures per position: stage, unit, position. */
function Filters({ examId, value, onChange }: FilterProps) {
  const t = useT()
  const units = useFigure(unitTree, { examId }).data ?? []
  const stages = useFigure(stagesOfExam, { examId }).data ?? []
  const codes = units.filter(one => !value.unit || one.unit === value.unit).flatMap(one => one.codes)
  const common = {
    allowClear: true,
    showSearch: { optionFilterProp: 'label' },
    style: { flex: '1 1 180px', maxWidth: 360 },
  } as const
  return (
    <>
      <Select
        {...common}
        aria-label={t('考试项目')}
        placeholder={t('全部项目')}
        value={value.item}
        onChange={item => onChange({ ...value, item })}
        options={stages.map(one => ({ value: one.itemId, label: one.itemName }))}
      />
      <Select
        {...common}
        aria-label={t('单位')}
        placeholder={t('全部单位')}
        value={value.unit}
        onChange={unit => onChange({ ...value, unit, code: undefined })}
        options={units.map(one => ({ value: one.unit, label: one.unitName }))}
      />
      <Select
        {...common}
        aria-label={t('岗位')}
        placeholder={t('全部岗位')}
        value={value.code}
        onChange={code => onChange({ ...value, code })}
        options={codes.map(one => ({ value: one.code, label: `${one.code} ${one.postName}` }))}
      />
    </>
  )
}

function Figures({ examId, filter }: { examId: string; filter: Narrowing }) {
  const t = useT()
  const client = useQueryClient()
  const maySave = useCan('statistics_export')
  const { item, unit, code } = filter
  const { data, isPending } = useFigure(positionFigures, { examId, item, unit, code })
  if (isPending || !data) return <PageSkeleton />
  const total = data.at(-1)
  const again = () => client.invalidateQueries({ predicate: query => String(query.queryKey[0]).startsWith(folder) })
  const save = () => saveFile(positionSheet, { examId, item, unit, code })
  return (
    <>
      <Flex wrap gap={12} align="center">
        <Typography.Text type="secondary">{t('统计截至 {{time}}', { time: total?.time ?? '' })}</Typography.Text>
        <Button onClick={() => void again()}>{t('刷新')}</Button>
        {maySave && (
          <Button icon={<DownloadOutlined aria-hidden />} onClick={() => save().catch(() => undefined)}>
            {t('导出')}
          </Button>
        )}
      </Flex>
      {total && <Sums of={total} />}
      <Row gutter={[16, 16]}>
        <Col xs={24} xl={14}>
          <TypePanel examId={examId} />
        </Col>
        <Col xs={24} xl={10}>
          <LinePanel examId={examId} />
        </Col>
        <Col xs={24} lg={12}>
          <SexPanel examId={examId} unit={unit} code={code} />
        </Col>
        <Col xs={24} lg={12}>
          <PayPanel examId={examId} item={item} />
        </Col>
      </Row>
      <Card title={t('岗位')}>
        <PositionTable rows={data.slice(0, -1)} total={total} />
      </Card>
    </>
  )
}

function OfExam({ chosen }: { chosen: ChosenExam }) {
  const [filter, setFilter] = useState<Narrowing>({})
  return (
    <>
      <ExamPicker chosen={chosen}>
        {chosen.examId && <Filters examId={chosen.examId} value={filter} onChange={setFilter} />}
      </ExamPicker>
      {chosen.examId && <Figures examId={chosen.examId} filter={filter} />}
    </>
  )
}

/** Sign-ups of an exam in numbers: sums, types, days, sexes, payments and every position. */
export default function StatisticsPage() {
  const _t = useT()
  const chosen = useExam()
  if (chosen.isPending) return <PageSkeleton />
  return (
    <Flex vertical gap={16}>
      <OfExam key={chosen.examId} chosen={chosen} />
      {!chosen.examId && <ChooseExam chosen={chosen} />}
    </Flex>
  )
}
