import { Button, Card, Flex, Select, Statistic } from 'antd'
import { useState } from 'react'
import { useT } from '../../../platform/i18n/i18n.ts'
import { useDictionary } from '../../../screens/fields/dictionary.ts'
import { yuan } from '../../../screens/fields/money.ts'
import { Nothing } from '../../../screens/parts/Nothing.tsx'
import { WideTable } from '../../../screens/WideTable.tsx'
import { PageSkeleton } from '../../../screens/window/PageSkeleton.tsx'
import { ChooseExam, ExamPicker, useExam } from '../../exams/pages/parts/ExamPicker.tsx'
import { figuresOfPayment, type PayLine, stagesOfExam } from '../contract.ts'
import { useFigure } from './parts/figures.ts'

function Figures({ examId, item }: { examId: string; item?: string }) {
  const t = useT()
  const { word } = useDictionary('pay_state')
  const { data, isPending, refetch } = useFigure(figuresOfPayment, { examId, item })
  if (isPending) return <PageSkeleton />
  if (!data) return <Nothing picture="coin" text={t('还没有缴费记录')} />
  const all = {
    num: data.reduce((sum, one) => sum + one.num, 0),
    amount: data.reduce((sum, one) => sum + one.amount, 0),
  }
  return (
    <Card extra={<Button onClick={() => void refetch()}>{t('刷新')}</Button>} title={t('缴费统计')}>
      <Flex wrap gap="16px 40px" style={{ marginBlockEnd: 16 }}>
        <Statistic title={t('缴费记录数')} value={all.num} />
        <Statistic title={t('金额合计')} value={yuan(all.amount)} prefix="¥" />
      </Flex>
      <WideTable<PayLine>
        label={t('缴费统计')}
        rowKey="payState"
        dataSource={data}
        pagination={false}
        width="max-content"
        columns={[
          { title: t('缴费状态'), dataIndex: 'payState', render: word },
          { title: t('记录数'), dataIndex: 'num', align: 'right' },
          { title: t('金额（元）'), dataIndex: 'amount', align: 'right', render: yuan },
        ]}
      />
    </Card>
  )
}

/** Records of payment of an exam by state, with their sums, for whoever does the accounts. */
export default function PayStatisticsPage() {
  const t = useT()
  const chosen = useExam()
  const { examId } = chosen
  const [item, setItem] = useState<string>()
  const stages = useFigure(stagesOfExam, { examId }).data ?? []
  const known = stages.some(one => one.itemId === item) ? item : undefined
  if (chosen.isPending) return <PageSkeleton />
  return (
    <Flex vertical gap={16}>
      <ExamPicker chosen={chosen}>
        <Select
          allowClear
          style={{ width: 240, maxWidth: '100%' }}
          aria-label={t('考试项目')}
          placeholder={t('全部项目')}
          value={known}
          onChange={setItem}
          options={stages.map(one => ({ value: one.itemId, label: one.itemName }))}
        />
      </ExamPicker>
      {examId ? <Figures examId={examId} item={known} /> : <ChooseExam chosen={chosen} />}
    </Flex>
  )
}
