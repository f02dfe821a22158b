import { Button, Card, Flex, Typography } from 'antd'
import type { ReactNode } from 'react'
import { useT } from '../../i18n/i18n.ts'

interface Props {
  /** What is decided about, in Chinese. */
  title: string
  name: string
  code: string
  /** Something was ticked or unticked and is not stored yet. */
  isEdited: boolean
  isSaving: boolean
  onBack: () => void
  onSave: () => void
  children: ReactNode
}

/** The frame of a page on which a tree is ticked: whose it is, back, save. */
export function GrantCard({ title, name, code, isEdited, isSaving, onBack, onSave, children }: Props) {
  const t = useT()
  return (
    <Card
      title={
        <Flex vertical>
          <span>
            {t(title)} · {t(name)}
          </span>
          <Typography.Text type="secondary" style={{ fontWeight: 400 }}>
            {code}
          </Typography.Text>
        </Flex>
      }
      extra={
        <Flex gap={8}>
          <Button onClick={onBack}>{t('返回')}</Button>
          <Button type="primary" disabled={!isEdited} loading={isSaving} onClick={onSave}>
            {t('保存')}
          </Button>
        </Flex>
      }
    >
      {children}
    </Card>
  )
}
