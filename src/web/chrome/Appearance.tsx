import { LoadingOutlined, SearchOutlined } from '@ant-design/icons'
import { App, ConfigProvider } from 'antd'
import enUS from 'antd/locale/en_US'
import zhCN from 'antd/locale/zh_CN'
import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn'
import { type ReactNode, useEffect } from 'react'
import { traffic } from '../../platform/http/browser/http.ts'
import { language, t, useT } from '../../platform/i18n/i18n.ts'
import { useAppearance } from '../../screens/window/appearance.ts'
import { themeOf } from '../../screens/window/theme.ts'
import { TOASTS, tellError } from '../../screens/window/toasts.tsx'
import { MoreTabs } from './MoreTabs.tsx'

/** Shows what the server refuses, once, as a message that stays. */
function Refusals(): null {
  const { message } = App.useApp()
  useEffect(() => {
    traffic.refused = text => tellError(message, text)
    traffic.missing = () => void message.info(t('所连接的系统没有此功能'))
  }, [message])
  return null
}

/** The turning sign adds nothing to the name of its button. */
const BUTTON = { autoInsertSpace: false, loadingIcon: <LoadingOutlined aria-hidden /> }

const TABS = { more: { icon: <MoreTabs /> } }

/** Theme, colours, language of the components, messages: what every page stands in, with or without a frame. */
export function Appearance({ children }: { children: ReactNode }): ReactNode {
  useT()
  const { appearance, colour, motion, look } = useAppearance()
  const chinese = language() === 'zh'
  dayjs.locale(chinese ? 'zh-cn' : 'en')
  return (
    <ConfigProvider
      // Without one, everything below would begin again when the language changes.
      locale={chinese ? zhCN : enUS}
      theme={themeOf(appearance, colour, motion, look)}
      button={BUTTON}
      inputSearch={{ searchIcon: <SearchOutlined aria-label={t('搜索')} /> }}
      tabs={TABS}
    >
      <App
        component={false}
        message={TOASTS}
        notification={{ placement: 'topRight', top: 64, stack: { threshold: 2 } }}
      >
        <Refusals />
        {children}
      </App>
    </ConfigProvider>
  )
}
