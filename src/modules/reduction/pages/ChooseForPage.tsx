import { Alert, App, Button, Card, Descriptions, Flex, Input, Radio } from 'antd'
import { useNavigate, useParams } from 'react-router-dom'
import { callOf } from '#engine'
import { postreductionname } from '#resources/reduction/postreductionname'
import { useT } from '../../../platform/i18n/i18n.ts'
import { DictTag } from '../../../screens/fields/DictText.tsx'
import { MayLink } from '../../../screens/parts/MayLink.tsx'
import { NoAnswer } from '../../../screens/parts/NoAnswer.tsx'
import { useEndpoint, useSend } from '../../../screens/parts/use-endpoint.ts'
import { useKeptValues } from '../../../screens/use-kept-values.ts'
import { WideTable } from '../../../screens/WideTable.tsx'
import { PageSkeleton } from '../../../screens/window/PageSkeleton.tsx'
import { type ChoiceInfo, choiceOf, chooseAnew } from '../contract.ts'

type Target = ChoiceInfo['targets'][number]

const list = '/reduction/name'
const blank = { code: '', remark: '' }

/** The choice taken down: a position or none, and how one knows. */
function Choosing({ info }: { info: ChoiceInfo }) {
  const t = useT()
  const go = useNavigate()
  const { message } = App.useApp()
  const { values, change, draft } = useKeptValues(blank, { form: 'postreductionname/choose', rowId: info.signupId })
  const { code, remark } = values
  const act = useSend(chooseAnew, { stale: [choiceOf] })
  const save = (agree: 0 | 1): void => {
    if (agree === 1 && !code) return void message.warning(t('请选择岗位'))
    if (!remark.trim()) return void message.warning(t('请填写备注'))
    const target = info.targets.find(one => one.code === code)
    const place = agree ? { unit2: target?.unit, type2: target?.type, code2: code } : {}
    act.mutateAsync({ signupId: info.signupId, agree, ...place, remark }).then(
      () => {
        draft.saved()
        void go(list)
      },
      () => undefined,
    )
  }
  return (
    <Flex vertical gap={16}>
      {draft.bar}
      <WideTable<Target>
        label={t('岗位')}
        rowKey="code"
        size="small"
        dataSource={info.targets}
        pagination={{ pageSize: 30, hideOnSinglePage: true }}
        width={640}
        columns={[
          {
            title: '',
            width: 48,
            render: (_, one) => (
              <Radio
                aria-label={one.code}
                disabled={!one.selectable}
                checked={code === one.code}
                onChange={() => change({ code: one.code })}
              />
            ),
          },
          { title: t('岗位'), render: (_, one) => `${one.code} ${one.postName}` },
          { title: t('单位'), dataIndex: 'unitName' },
          { title: t('计划数'), dataIndex: 'curPlanNum', width: 80 },
          { title: t('说明'), width: 100, render: (_, one) => one.reason && t(one.reason) },
        ]}
      />
      <Input.TextArea
        rows={2}
        maxLength={255}
        aria-label={t('备注')}
        placeholder={t('如何得知考生的选择，例如电话确认的时间')}
        value={remark}
        onChange={event => change({ remark: event.target.value })}
      />
      <Flex gap={8}>
        <Button type="primary" loading={act.isPending} onClick={() => save(1)}>
          {t('提交改报')}
        </Button>
        <Button danger loading={act.isPending} onClick={() => save(0)}>
          {t('考生放弃改报')}
        </Button>
        <Button onClick={() => go(list)}>{t('返回列表')}</Button>
      </Flex>
    </Flex>
  )
}

/** Enters the choice of a candidate who cannot enter it. */
export default function ChooseForPage() {
  const t = useT()
  const go = useNavigate()
  const { id = '' } = useParams()
  const line = useEndpoint(callOf(postreductionname, 'detail'), { id })
  const signupId = line.data?.signupId ?? ''
  const read = useEndpoint(choiceOf, { signupId }, { enabled: signupId !== '' })
  if (line.isPending || (signupId && read.isPending)) return <PageSkeleton />
  if (!read.data)
    return (
      <NoAnswer error={read.error ?? line.error}>
        <Button onClick={() => go(list)}>{t('返回列表')}</Button>
      </NoAnswer>
    )
  const info = read.data
  return (
    <Card title={`${info.name} · ${info.signNo}`} extra={<DictTag code="reduce_state" value={info.state} />}>
      <Descriptions
        column={{ xs: 1, md: 2 }}
        items={[
          { key: 'exam', label: t('考试'), children: <MayLink to={`/exam/${info.examId}`}>{info.examName}</MayLink> },
          { key: 'old', label: t('原岗位'), children: `${info.old.unitName} · ${info.old.code} ${info.old.postName}` },
          { key: 'window', label: t('改报时间'), children: `${info.window.start} ~ ${info.window.end}` },
        ]}
      />
      {info.canChoose ? (
        <Choosing info={info} />
      ) : (
        <Alert type="info" showIcon title={t('现在不能改报：不在改报时间内，或已经作出选择。')} />
      )}
    </Card>
  )
}
