"""The start page: links to the other sites, their accounts, a calculator and a short handbook."""
