import { Flex, Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import { useT } from '../../../../platform/i18n/i18n.ts'
import './preview.css'

/** Widths in pixels that a candidate's page is shown at. */
const widths = { phone: 360, desk: 860 } as const

/** What a candidate will see, at the width of a phone or of a desk; `tools` stand beside that choice. */
export function PreviewFrame({ tools, children }: { tools?: ReactNode; children: ReactNode }) {
  const t = useT()
  const [where, setWhere] = useState<keyof typeof widths>('phone')
  return (
    <Flex vertical gap={12} align="center">
      <Flex gap={12} wrap justify="center">
        <Segmented
          aria-label={t('预览宽度')}
          value={where}
          onChange={setWhere}
          options={[
            { value: 'phone', label: t('手机') },
            { value: 'desk', label: t('电脑') },
          ]}
        />
        {tools}
      </Flex>
      <Flex
        vertical
        gap={12}
        className="form-preview"
        data-where={where}
        style={{ width: '100%', maxWidth: widths[where] }}
      >
        {children}
      </Flex>
    </Flex>
  )
}
