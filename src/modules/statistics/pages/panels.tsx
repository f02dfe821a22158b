import { Card, Flex, Segmented } from 'antd'
import { useState } from 'react'
import { useT } from '../../../platform/i18n/i18n.ts'
import { useDictionary } from '../../../screens/fields/dictionary.ts'
import { yuan } from '../../../screens/fields/money.ts'
import { figuresBySex, figuresByTime, figuresOfPayment } from '../contract.ts'
import { GroupedBars, Shares, TimeLine } from './charts.tsx'
import { useFigure, useTypes } from './parts/figures.ts'

interface Props {
  examId: string
  /** Milliseconds after which it is read again by itself. */
  every?: number
}

/** Places, sign-ups and reviews per type of position. */
export function TypePanel({ examId, every }: Props) {
  const t = useT()
  const { types, series } = useTypes(examId, every)
  return (
    <Card title={t('按岗位类别')}>
      <GroupedBars label={t('岗位类别')} words={types.map(word => t(word))} series={series} />
    </Card>
  )
}

/** Sign-ups over time, by day or hour, each by itself or all so far. */
export function LinePanel({ examId, every }: Props) {
  const t = useT()
  const [step, setStep] = useState<'day' | 'hour'>('day')
  const [which, setWhich] = useState<'num' | 'total'>('num')
  const { data = [] } = useFigure(figuresByTime, { examId, step }, every)
  const steps = [
    { value: 'day' as const, label: t('按日') },
    { value: 'hour' as const, label: t('按小时') },
  ]
  const ways = [
    { value: 'num' as const, label: t('每段新增') },
    { value: 'total' as const, label: t('累计') },
  ]
  return (
    <Card title={t('报名趋势')}>
      <Flex gap={8} wrap style={{ marginBlockEnd: 12 }}>
        <Segmented size="small" value={step} onChange={setStep} options={steps} />
        <Segmented size="small" value={which} onChange={setWhich} options={ways} />
      </Flex>
      <TimeLine label={t('报名趋势')} points={data} which={which} />
    </Card>
  )
}

/** Sign-ups by sex, of all or of some positions. */
export function SexPanel({ examId, every, unit, code }: Props & { unit?: string; code?: string }) {
  const t = useT()
  const { word } = useDictionary('sex')
  const { data = [] } = useFigure(figuresBySex, { examId, unit, code }, every)
  const shares = data.map(({ sex, num, percent }) => ({ word: word(String(sex)), num, more: `${percent}%` }))
  return (
    <Card title={t('性别')}>
      <Shares label={t('性别')} of={shares} />
    </Card>
  )
}

/** Pay records by state with their sums. */
export function PayPanel({ examId, every, item }: Props & { item?: string }) {
  const t = useT()
  const { word } = useDictionary('pay_state')
  const { data = [] } = useFigure(figuresOfPayment, { examId, item }, every)
  const shares = data.map(({ payState, num, amount }) => ({
    word: word(String(payState)),
    num,
    more: `¥${yuan(amount)}`,
  }))
  return (
    <Card title={t('缴费')}>
      <Shares label={t('缴费')} of={shares} />
    </Card>
  )
}
