import { Button, Card, Flex, Form, Input, Select } from 'antd'
import { useId } from 'react'
import { useNavigate, useParams } from 'react-router-dom'
import type { AnswerOf } from '#engine'
import { useDictionary } from '../../../../screens/fields/dictionary.ts'
import { NoAnswer } from '../../../../screens/parts/NoAnswer.tsx'
import { useEndpoint, useSend } from '../../../../screens/parts/use-endpoint.ts'
import { useKeptValues } from '../../../../screens/use-kept-values.ts'
import { PageSkeleton } from '../../../../screens/window/PageSkeleton.tsx'
import { useT } from '../../../i18n/i18n.ts'
import { changePlatform, platformOf } from '../../contract.ts'

type Platform = AnswerOf<typeof platformOf>

/** Whether a text is the JSON of an object. */
function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

function PlatformForm({ of, onBack }: { of: Platform; onBack: () => void }) {
  const t = useT()
  // Several people may be open in tabs.
  const prefix = useId()
  const { entries } = useDictionary('user_type')
  const { values, change, draft } = useKeptValues(
    () => ({ userType: of.userType, text: JSON.stringify(of.userExt, null, 2) }),
    { form: 'user/platform', rowId: of.id },
  )
  const { userType, text } = values
  const save = useSend(changePlatform, { stale: [platformOf] })
  const isWrong = !isObject(text)
  const keep = () =>
    save.mutateAsync({ userId: of.id, userType, userExt: JSON.parse(text) as object }).then(
      () => {
        draft.saved()
        onBack()
      },
      () => undefined,
    )
  return (
    <Card title={`${t('平台配置')} · ${of.realName || of.account}`} style={{ maxWidth: 720 }}>
      {draft.bar}
      <Form layout="vertical" component="div">
        <Form.Item label={t('用户平台')} htmlFor={`${prefix}-type`} help={t('改变平台后，该用户须重新登录。')}>
          <Select
            id={`${prefix}-type`}
            value={userType}
            options={entries.filter(one => !one.sealed).map(one => ({ value: Number(one.key), label: t(one.word) }))}
            onChange={next => change({ userType: next })}
          />
        </Form.Item>
        <Form.Item
          label={t('平台拓展信息')}
          htmlFor={`${prefix}-ext`}
          validateStatus={isWrong ? 'error' : undefined}
          help={isWrong ? <span role="alert">{t('拓展信息应为 JSON 对象')}</span> : undefined}
        >
          <Input.TextArea
            id={`${prefix}-ext`}
            rows={10}
            value={text}
            onChange={event => change({ text: event.target.value })}
          />
        </Form.Item>
        <Flex gap={8}>
          <Button onClick={onBack}>{t('返回')}</Button>
          <Button type="primary" disabled={isWrong} loading={save.isPending} onClick={keep}>
            {t('保存')}
          </Button>
        </Flex>
      </Form>
    </Card>
  )
}

/** Which platform a person belongs to, and what is noted about the person there. */
export default function PlatformPage() {
  const t = useT()
  const go = useNavigate()
  const { id = '' } = useParams()
  const found = useEndpoint(platformOf, { id })
  const back = () => go('/system/user')
  if (found.isPending) return <PageSkeleton />
  if (!found.data)
    return (
      <NoAnswer error={found.error}>
        <Button onClick={back}>{t('返回列表')}</Button>
      </NoAnswer>
    )
  return <PlatformForm of={found.data} onBack={back} />
}
