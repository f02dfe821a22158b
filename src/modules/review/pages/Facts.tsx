import { Alert, Card, Descriptions, Flex, Timeline, Typography } from 'antd'
import { ExamineResult, ReviewStatus } from '#schemas/dictionaries/sign-up'
import { language, useT } from '../../../platform/i18n/i18n.ts'
import { DictTag } from '../../../screens/fields/DictText.tsx'
import { PositionLink } from '../../exams/pages/parts/PositionLink.tsx'
import type { ReviewInfo } from '../contract.ts'
import { DropStrike } from './DropStrike.tsx'
import { PrecheckTag } from './PrecheckTag.tsx'
import { Reveal } from './Reveal.tsx'

/** Who it is and what the application is for. */
export function Person({ info }: { info: ReviewInfo }) {
  const t = useT()
  const { signup } = info
  // English labels would leave numbers too little room beside them.
  const isBeside = language() === 'zh'
  return (
    <Card size="small">
      <Flex gap={16} align="start">
        {signup.photoUrl && <img src={signup.photoUrl} alt={t('证件照')} width={88} style={{ borderRadius: 6 }} />}
        <Descriptions
          size="small"
          layout={isBeside ? 'horizontal' : 'vertical'}
          colon={isBeside}
          column={{ xs: 1, sm: 2 }}
          style={{ flex: 1 }}
          items={[
            { key: 'name', label: t('姓名'), children: <strong>{signup.name}</strong> },
            { key: 'no', label: t('报名号'), children: signup.signNo },
            {
              key: 'id',
              label: t('证件号码'),
              children: <Reveal key={signup.id} id={signup.id} field="idCard" masked={signup.idCard} />,
            },
            { key: 'age', label: t('年龄'), children: `${signup.age}（${signup.birthday}）` },
            {
              key: 'phone',
              label: t('手机号码'),
              children: <Reveal key={signup.id} id={signup.id} field="phone" masked={signup.phone} />,
            },
            {
              key: 'time',
              label: t('提交时间'),
              children: `${signup.submitTime}（${t('第 {{n}} 次', { n: signup.submitCount })}）`,
            },
            {
              key: 'post',
              label: t('报考岗位'),
              span: 'filled',
              children: (
                <span>
                  {signup.unitName} ·{' '}
                  <PositionLink of={signup}>
                    {signup.code} {signup.postName}
                  </PositionLink>
                </span>
              ),
            },
            ...(signup.oldCode !== signup.code
              ? [
                  {
                    key: 'old',
                    label: t('原岗位'),
                    span: 'filled' as const,
                    children: (
                      <span>
                        {signup.oldUnitName} ·{' '}
                        <PositionLink of={{ examId: signup.examId, code: signup.oldCode }}>
                          {signup.oldCode} {signup.oldPostName}
                        </PositionLink>
                      </span>
                    ),
                  },
                ]
              : []),
            {
              key: 'state',
              label: t('状态'),
              children: (
                <Flex gap={4}>
                  <DictTag code="examine_status" value={signup.examine} />
                  {signup.reviewStatus > ReviewStatus.pending && (
                    <DictTag code="review_status" value={signup.reviewStatus} />
                  )}
                </Flex>
              ),
            },
          ]}
        />
      </Flex>
    </Card>
  )
}

/** What the rules of the position say about the candidate, the worst first. */
export function Precheck({ info }: { info: ReviewInfo }) {
  const t = useT()
  const lines = info.precheck.toSorted((a, b) => b.level - a.level)
  if (!lines.length) return null
  return (
    <Card size="small" title={t('资格预检')}>
      {lines.map(line => (
        <Flex key={line.rule} gap={8} align="baseline" style={{ paddingBlock: 3 }}>
          <PrecheckTag level={line.level} />
          <Typography.Text type={line.level === 3 ? 'danger' : undefined}>{line.msg}</Typography.Text>
        </Flex>
      ))}
    </Card>
  )
}

/** What has happened to the sign-up, the latest first. */
export function History({ info }: { info: ReviewInfo }) {
  const t = useT()
  return (
    <Card size="small" title={t('经过')}>
      <Timeline
        items={info.logs.map(log => ({
          color: log.kind === 'examine' ? (log.result === ExamineResult.approved ? 'green' : 'red') : 'blue',
          content: (
            <>
              <Typography.Text>{t(log.label)}</Typography.Text>{' '}
              <Typography.Text type="secondary">
                {log.userName} {log.time}
              </Typography.Text>
              {log.remark && <div>{log.remark}</div>}
            </>
          ),
        }))}
      />
    </Card>
  )
}

/** What stands in the reviewer's way, or who else is looking. */
export function Notices({ info }: { info: ReviewInfo }) {
  const t = useT()
  const other = info.claim && !info.claim.mine ? info.claim.userName : ''
  return (
    <>
      {info.can.move && <Alert type="info" showIcon title={t('考生由原岗位改报本岗位，请审核是否符合条件')} />}
      {other && <Alert type="warning" showIcon title={t('{{name}} 正在审核', { name: other })} />}
      {info.strike && (
        <Alert
          action={<DropStrike id={info.signup.id} />}
          type="error"
          showIcon
          title={t('{{name}} 于 {{time}} 提出取消资格：{{reason}}', {
            name: info.strike.userName,
            time: info.strike.time,
            reason: info.strike.reason,
          })}
          description={
            <>
              {info.strike.until && <div>{t('考生可陈述申辩至 {{time}}', { time: info.strike.until })}</div>}
              {t(
                info.strike.mine
                  ? '须由另一位有权人员确认后生效'
                  : '在报名列表中对该考生点「取消资格」即为确认，确认后准考证作废',
              )}
            </>
          }
        />
      )}
      {info.signup.examineRemark && (
        <Alert type="info" showIcon title={`${t('上次审核意见')}：${info.signup.examineRemark}`} />
      )}
    </>
  )
}
