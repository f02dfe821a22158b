import { CheckCircleFilled, CloseCircleFilled } from '@ant-design/icons'
import { Flex, Input } from 'antd'
import { useEffect, useState } from 'react'
import { useT } from '../../platform/i18n/i18n.ts'
import { type InputProps, inputState } from './props.ts'
import './pattern.css'

/** The rules of patterns as the server has them; they come when somebody writes one. */
type Patterns = typeof import('../../engine/pattern.ts')

function usePatterns(wanted: boolean): Patterns | undefined {
  const [patterns, setPatterns] = useState<Patterns>()
  useEffect(() => {
    if (wanted && !patterns) void import('../../engine/pattern.ts').then(setPatterns)
  }, [wanted, patterns])
  return patterns
}

/** What a pattern says of a sample, in words and with a mark. */
function Verdict({ patterns, pattern, sample }: { patterns: Patterns; pattern: string; sample: string }) {
  const t = useT()
  const problem = patterns.patternProblem(pattern)
  const isFit = !problem && patterns.matches(pattern, sample)
  const words = problem ?? (isFit ? '匹配' : '不匹配')
  return (
    <span className="pattern-verdict" data-fit={isFit} role="status">
      {isFit ? <CheckCircleFilled aria-hidden /> : <CloseCircleFilled aria-hidden />}
      {t(words)}
    </span>
  )
}

/** A regular expression, tried on a sample before it is saved: the whole sample has to fit. */
export function PatternInput(props: InputProps<string>) {
  const t = useT()
  const { value = '', onChange } = props
  const [sample, setSample] = useState('')
  const patterns = usePatterns(value !== '')
  const isWrong = patterns !== undefined && value !== '' && patterns.patternProblem(value) !== null
  return (
    <Flex vertical gap={8}>
      <Input
        {...inputState(props)}
        {...(isWrong && { status: 'error' as const })}
        style={{ fontFamily: 'monospace' }}
        value={value}
        maxLength={props.field.maxLength}
        onChange={event => onChange(event.target.value || undefined)}
      />
      {value !== '' && (
        <Flex gap={8} align="center" wrap>
          <Input
            style={{ flex: '1 1 160px', width: 'auto' }}
            value={sample}
            aria-label={t('试一试：输入样例')}
            placeholder={t('试一试：输入样例')}
            onChange={event => setSample(event.target.value)}
          />
          {patterns && (sample !== '' || isWrong) && <Verdict patterns={patterns} sample={sample} pattern={value} />}
        </Flex>
      )}
    </Flex>
  )
}
