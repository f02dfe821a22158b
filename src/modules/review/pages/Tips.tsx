import { DownOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import { useT } from '../../../platform/i18n/i18n.ts'
import { useEndpoint } from '../../../screens/parts/use-endpoint.ts'
import { myTips } from '../contract.ts'

/** One's own and shared phrases, put into the opinion by a choice. Nothing where there is none. */
export function Tips({ onPick }: { onPick: (text: string) => void }) {
  const t = useT()
  const tips = useEndpoint(myTips, {}).data?.records ?? []
  if (tips.length === 0) return null
  const items = tips.map(({ id, title, content }) => ({ key: id, label: title, title: content }))
  return (
    <Dropdown
      trigger={['click']}
      menu={{ items, onClick: ({ key }) => onPick(tips.find(one => one.id === key)?.content ?? '') }}
    >
      <Button icon={<DownOutlined aria-hidden />} iconPlacement="end">
        {t('常用语')}
      </Button>
    </Dropdown>
  )
}
