import relativeLinks from 'markdownlint-rule-relative-links'
export default { config: { default: false, MD051: true, 'relative-links': true }, customRules: [relativeLinks] }
