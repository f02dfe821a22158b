import { Alert, Button } from 'antd'
import { useT } from '../platform/i18n/i18n.ts'

/** Says that what a form held before has been done although its answer was lost, and that what was changed since has not. @param again what the button is called that sends it all the same */
export function SentBefore({ again, onAgain }: { again: string; onAgain: () => void }) {
  const t = useT()
  return (
    <Alert
      type="warning"
      showIcon
      title={t('上次提交的内容已经生效，只是没有收到答复；之后的改动还没有提交。')}
      action={
        <Button size="small" onClick={onAgain}>
          {t(again)}
        </Button>
      }
      style={{ marginBottom: 16 }}
    />
  )
}
