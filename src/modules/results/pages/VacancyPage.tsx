import { Button, Flex } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { useT } from '../../../platform/i18n/i18n.ts'
import { DictText } from '../../../screens/fields/DictText.tsx'
import { useCanChange } from '../../../screens/may.ts'
import { NoAnswer } from '../../../screens/parts/NoAnswer.tsx'
import { Nothing } from '../../../screens/parts/Nothing.tsx'
import { useEndpoint } from '../../../screens/parts/use-endpoint.ts'
import { WideTable } from '../../../screens/WideTable.tsx'
import { PageSkeleton } from '../../../screens/window/PageSkeleton.tsx'
import { usePlaceRow } from '../../../screens/workspace/place.ts'
import { type Vacancy, vacancies } from '../contract.ts'

const PromoteDialog = lazy(() => import('./PromoteDialog.tsx').then(part => ({ default: part.PromoteDialog })))

const SIZE = 20

/** Places on shortlists that somebody left and another one can have, each with the way to fill it. */
export default function VacancyPage() {
  const t = useT()
  const may = useCanChange('result_promote')
  const here = usePlaceRow('examination')
  const [params] = useSearchParams()
  const examId = here ?? params.get('examId') ?? undefined
  const [current, turn] = useState(1)
  const [chosen, choose] = useState<Vacancy>()
  const list = useEndpoint(vacancies, { current, size: SIZE, ...(examId && { examId }) }, { keep: true })
  if (list.error) return <NoAnswer error={list.error} />
  if (!list.data) return <PageSkeleton />
  const { records, total } = list.data
  return (
    <Flex vertical gap={16}>
      <Flex justify="end">
        <Link to="/result/promotion">{t('递补记录')}</Link>
      </Flex>
      {total === 0 ? (
        <Nothing text={t('没有可以递补的空缺')} />
      ) : (
        <WideTable<Vacancy>
          label={t('空缺递补')}
          rowKey={row => row.itemId + row.code}
          dataSource={records}
          width="max-content"
          pagination={{
            current,
            pageSize: SIZE,
            total,
            onChange: turn,
            hideOnSinglePage: true,
            showSizeChanger: false,
          }}
          columns={[
            {
              title: t('岗位'),
              width: 240,
              render: (_, row) => (
                <>
                  <DictText code="recruit_unit" value={row.unit} /> · {row.postName}（{row.code}）
                </>
              ),
            },
            { title: t('考试项目'), dataIndex: 'itemName', width: 120 },
            ...(here ? [] : [{ title: t('考试'), dataIndex: 'examName', width: 220 }]),
            { title: t('入围名额'), dataIndex: 'places', width: 90 },
            { title: t('在列人数'), dataIndex: 'held', width: 90 },
            { title: t('空缺人数'), width: 90, render: (_, row) => <strong>{row.places - row.held}</strong> },
            { title: t('可递补人数'), dataIndex: 'waiting', width: 110 },
            {
              title: t('操作'),
              width: 110,
              render: (_, row) => may && <Button onClick={() => choose(row)}>{t('提出递补')}</Button>,
            },
          ]}
        />
      )}
      <Suspense fallback={null}>{chosen && <PromoteDialog of={chosen} onClose={() => choose(undefined)} />}</Suspense>
    </Flex>
  )
}
