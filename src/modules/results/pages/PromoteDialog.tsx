import { Alert, Descriptions, Typography } from 'antd'
import type { ReactNode } from 'react'
import { promotion } from '#resources/results/promotion'
import { result } from '#resources/results/result'
import { useT } from '../../../platform/i18n/i18n.ts'
import { AskDialog } from '../../../screens/AskDialog.tsx'
import type { AnyAction } from '../../../screens/actions.ts'
import { useEndpoint, useSend } from '../../../screens/parts/use-endpoint.ts'
import { WideTable } from '../../../screens/WideTable.tsx'
import { promote, type Vacancy, type VacancyPreview, vacancies, vacancyPreview } from '../contract.ts'

const { reason, until, itemId } = promotion.entity.properties
const { score, totalScore, rankNo } = result.entity.properties
const asked = { reason, until }
const action = { name: 'promote', label: '提出递补', call: 'POST ask', begin: { until: 'until' } } satisfies AnyAction

/** Why somebody is no longer on the shortlist. */
const causes: Readonly<Record<VacancyPreview['left'][number]['cause'], string>> = {
  struck: '取消资格',
  withdrawn: '放弃报名',
  declined: '放弃入围',
  missed: '逾期未确认',
  failed: '资格复审、体检或考察未通过',
}

/** What the promotion comes to: whom they follow, who moves up, and what becomes of them. */
function Effect({ of, preview }: { of: Vacancy; preview: VacancyPreview }): ReactNode {
  const t = useT()
  const { places, held, left, next, charged } = preview
  const after = held + next.length
  return (
    <>
      <Descriptions
        size="small"
        column={1}
        style={{ marginBlockEnd: 12 }}
        items={[
          { key: 'stage', label: t(itemId.title), children: of.itemName },
          { key: 'code', label: t('岗位'), children: `${of.postName}（${of.code}）` },
          {
            key: 'held',
            label: t('入围人数'),
            children: t('{{held}} 人 → {{after}} 人（名额 {{places}}）', { held, after, places }),
          },
          ...(left.length > 0
            ? [
                {
                  key: 'left',
                  label: t('退出人员'),
                  children: left.map(one => `${one.name}（${t(causes[one.cause])}）`).join('、'),
                },
              ]
            : []),
        ]}
      />
      <WideTable
        label={t('递补人员')}
        size="small"
        rowKey="signupId"
        pagination={false}
        width="max-content"
        dataSource={next}
        columns={[
          { title: t('递补人员'), dataIndex: 'name', width: 90 },
          { title: t('准考证号'), dataIndex: 'ticketNo', width: 130 },
          { title: t(score.title), dataIndex: 'score', width: 70 },
          ...(next.some(one => one.totalScore !== '')
            ? [{ title: t(totalScore.title), dataIndex: 'totalScore', width: 80 }]
            : []),
          { title: t(rankNo.title), dataIndex: 'rankNo', width: 80 },
        ]}
      />
      {next.length > preview.free && (
        <Alert type="info" showIcon style={{ marginBlock: 12 }} title={t('末位同分的一并递补')} />
      )}
      <Typography.Paragraph type="secondary" style={{ marginBlockStart: 12 }}>
        {t('另一人确认后递补人员进入入围名单，收到通知，须在确认截止前登录确认。')}
        {charged.length > 0 && t('须缴费：{{stages}}。', { stages: charged.join('、') })}
      </Typography.Paragraph>
    </>
  )
}

/** Asks that the next in rank move up to the free places of a position, with what comes of it. */
export function PromoteDialog({ of, onClose }: { of: Vacancy; onClose: () => void }): ReactNode {
  const { code } = of
  const about = { itemId: of.itemId, code }
  const preview = useEndpoint(vacancyPreview, about)
  const send = useSend(promote, { stale: [vacancies], done: '已提出递补，另一位有权人员确认后生效' })
  if (!preview.data) return null
  const { next, until: usual } = preview.data
  return (
    <AskDialog
      resource={promotion}
      action={action}
      fields={asked}
      rows={[{ id: `${of.itemId}${code}`, until: usual }]}
      about={<Effect of={of} preview={preview.data} />}
      onRun={async values => {
        await send.mutateAsync({
          ...about,
          reason: String(values.reason),
          until: String(values.until),
          signupIds: next.map(one => one.signupId),
        })
      }}
      onClose={onClose}
    />
  )
}
