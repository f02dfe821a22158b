import { Alert, Button, Flex, Typography } from 'antd'
import { useState } from 'react'
import { RefSelect } from '../../../../screens/fields/RefSelect.tsx'
import { useSend } from '../../../../screens/parts/use-endpoint.ts'
import { useT } from '../../../i18n/i18n.ts'
import { tryDataScope } from '../../contract.ts'
import { bodyOf, type Rule } from './rule.ts'

/** Tries a rule on a person: how many rows that person would see. */
export function RuleTest({ rule }: { rule: Rule }) {
  const t = useT()
  const [userId, setUserId] = useState<string>()
  const test = useSend(tryDataScope, { done: false })
  const run = () =>
    test
      .mutateAsync({ ...bodyOf(rule), scopeClass: rule.scopeClass ?? '', userId: userId ?? '' })
      .catch(() => undefined)
  return (
    <Flex vertical gap={8}>
      <Typography.Text>{t('试算：这条规则下某人能看到多少行')}</Typography.Text>
      <Flex gap={8}>
        <RefSelect
          entity="user"
          name={t('选择一个人')}
          value={userId}
          onChange={setUserId}
          placeholder={t('选择一个人')}
        />
        <Button disabled={!userId || !rule.scopeClass} loading={test.isPending} onClick={run}>
          {t('试算')}
        </Button>
      </Flex>
      {test.data && (
        <Alert type="info" title={t('这条规则能看到 {{count}} 行，没有规则时 {{total}} 行', { ...test.data })} />
      )}
    </Flex>
  )
}
