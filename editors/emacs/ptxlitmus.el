;;; ptxlitmus.el --- tests and modules of PTX, with ptxlitmus's server  -*- lexical-binding: t; -*-

;;; Commentary:
;; A mode for litmus tests (*.litmus) and modules of PTX (*.ptx), for which Eglot starts `ptxlitmus lsp'.

;;; Code:

(define-derived-mode ptxlitmus-mode prog-mode "PTX"
  "A mode for litmus tests and modules of PTX."
  (setq-local comment-start "// ")
  (setq-local comment-end "")
  (modify-syntax-entry ?/ ". 124b" ptxlitmus-mode-syntax-table)
  (modify-syntax-entry ?* ". 23" ptxlitmus-mode-syntax-table)
  (modify-syntax-entry ?\n "> b" ptxlitmus-mode-syntax-table)
  (modify-syntax-entry ?% "_" ptxlitmus-mode-syntax-table))

(add-to-list 'auto-mode-alist '("\\.\\(litmus\\|ptx\\)\\'" . ptxlitmus-mode))

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(ptxlitmus-mode . ("ptxlitmus" "lsp"))))

(provide 'ptxlitmus)
;;; ptxlitmus.el ends here
